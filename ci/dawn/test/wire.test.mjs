// Messages survive a stream that is cut into any pieces, and a stream that ends too early is an error.

import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import test from "node:test";

import { receive, send } from "../wire.mjs";

/** Two messages as bytes. */
async function bytes() {
  const stream = new PassThrough();
  await send(stream, { first: "é" }, [Buffer.from("abc"), Buffer.alloc(0)]);
  await send(stream, "second");
  return stream.read();
}

async function all(chunks) {
  const found = [];
  for await (const { message, blobs } of receive(Readable.from(chunks))) found.push([message, blobs.map(String)]);
  return found;
}

const EXPECTED = [
  [{ first: "é" }, ["abc", ""]],
  ["second", []],
];

test("messages survive with their blobs, however the stream is cut", async () => {
  const whole = await bytes();
  for (const size of [1, 3, 7, whole.length]) {
    const chunks = [];
    for (let at = 0; at < whole.length; at += size) chunks.push(whole.subarray(at, at + size));
    assert.deepEqual(await all(chunks), EXPECTED, `pieces of ${size}`);
  }
});

test("a stream that ends within a message is an error", async () => {
  const whole = await bytes();
  const second = 4 + whole.readUInt32LE(0) + 3;
  for (let length = 1; length < whole.length; length++) {
    if (length === second) continue;
    await assert.rejects(all([whole.subarray(0, length)]), /before the end of a message/, `${length} bytes`);
  }
  assert.deepEqual(await all([whole.subarray(0, second)]), EXPECTED.slice(0, 1));
  assert.deepEqual(await all([]), []);
});

test("what is no message is an error", async () => {
  await assert.rejects(all([Buffer.from([2, 0, 0, 0, 0x7b, 0x7b])]), SyntaxError);
});
