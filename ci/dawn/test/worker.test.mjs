// The worker as a process over a real device: what it answers, what it survives, and what ends it. Needs a Vulkan driver,
// which `cargo xtask test` names in the environment.

import assert from "node:assert/strict";
import test from "node:test";

import { ADAPTER, Worker, input, output, plan, run, sevens } from "./harness.mjs";

const FOUR = [Buffer.from([1, 2, 3, 4])];
const words = (blob) => Array.from(new Uint32Array(new Uint8Array(blob).buffer));

test("it tells the adapter, runs plans, and ends with its requests", async () => {
  const worker = new Worker();
  const { message } = await worker.ask({ open: { adapter: ADAPTER } });
  const { adapter } = message.opened;
  assert.equal(adapter.backend, "vulkan");
  assert.match(adapter.compiler, /^tint /);
  assert.ok(adapter.name.length > 0 && adapter.driver.length > 0);
  assert.ok(adapter.limits.max_compute_workgroups_per_dimension >= 65535);
  for (let i = 0; i < 2; i++) {
    const { message, blobs } = await worker.ask(run(sevens(5)), FOUR);
    assert.deepEqual(message.ran.buffers, ["out"]);
    assert.deepEqual([message.ran.frames, message.ran.faults], [1, []]);
    assert.deepEqual(words(blobs[0]), [7, 7, 7, 7, 7]);
  }
  assert.equal(await worker.end(), 0);
});

test("bytes come back as they were sent, and what lies behind them is no comfortable zero", async () => {
  const worker = await Worker.open();
  const wgsl = `
    @group(0) @binding(0) var<storage, read> sent: array<u32>;
    @group(0) @binding(1) var<storage, read_write> out: array<u32>;
    @compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3<u32>) { out[id.x] = sent[id.x]; }`;
  const echo = (words) => plan(wgsl, { sent: input(7), out: output(words * 4) }, [["main", ["sent", "out"], words]]);
  const sent = [Buffer.from([1, 2, 3, 4, 5, 6, 7])];
  const { message, blobs } = await worker.ask(run(echo(3), 7), sent);
  assert.deepEqual([...blobs[0].subarray(0, 7)], [...sent[0]]);
  // The rest of the last word is poison, and the word behind it the poison of another place.
  const found = message.ran.faults.map(({ kind, count, first }) => [kind, count, first]);
  assert.deepEqual(found, [
    ["untouched", 1, 1],
    ["unstable", 1, 2],
  ]);
  await worker.end();
});

test("a write beyond the end, an index too few and nothing at all are found", async () => {
  const worker = await Worker.open();
  const found = async (plan) => {
    const { message } = await worker.ask(run(plan), FOUR);
    return message.ran.faults.map(({ kind, count, first }) => [kind, count, first]);
  };
  assert.deepEqual(await found(sevens(5, "i + 1u")), [
    ["untouched", 1, 0],
    ["guard_after", 4, 0],
  ]);
  assert.deepEqual(await found(sevens(5, "i / 2u")), [["untouched", 2, 3]]);
  await worker.end();
});

test("a dispatch too large for a device is cut, and each workgroup knows its number", async () => {
  const worker = await Worker.open();
  const wgsl = `
    @group(0) @binding(0) var<storage, read_write> out: array<u32>;
    @group(1) @binding(0) var<uniform> isobit_grid: vec4<u32>;
    @compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3<u32>) {
      let i = id.x + isobit_grid.x;
      out[i] = i ^ isobit_grid.y ^ isobit_grid.z ^ isobit_grid.w;
    }`;
  const count = 70_001;
  const { message, blobs } = await worker.ask(run(plan(wgsl, { out: output(count * 4) }, [["main", ["out"], count]])), FOUR);
  assert.deepEqual(message.ran.faults, []);
  assert.ok(words(blobs[0]).every((word, i) => word === (i ^ count)));
  await worker.end();
});

test("a plan that cannot run leaves the worker alive", async () => {
  const worker = await Worker.open();
  const broken = sevens(2);
  broken.modules.main.wgsl = "fn main( {";
  assert.equal(await worker.failure(run(broken), FOUR), "invalid_module");
  const lost = sevens(2);
  lost.steps[0].dispatch.entry = "other";
  assert.equal(await worker.failure(run(lost), FOUR), "invalid_module");
  const unknown = sevens(2);
  unknown.steps[0].dispatch.module = "other";
  assert.equal(await worker.failure(run(unknown), FOUR), "invalid_plan");
  assert.equal(await worker.failure(run(sevens(2)), []), "invalid_plan");
  assert.equal(await worker.failure(run(sevens(1 << 28)), FOUR), "limit");
  assert.equal(await worker.failure({ time: {} }), "invalid_plan");
  const { blobs } = await worker.ask(run(sevens(2)), FOUR);
  assert.deepEqual(words(blobs[0]), [7, 7]);
  assert.equal(await worker.end(), 0);
});

test("a device in doubt ends the worker behind its answer", async () => {
  const worker = await Worker.open();
  const unbound = sevens(2);
  unbound.steps[0].dispatch.bindings = {};
  assert.equal(await worker.failure(run(unbound), FOUR), "validation");
  assert.equal(await worker.ended, 0);
});

test("without its adapter it opens none", async () => {
  for (const backend of ["metal", "moon"]) {
    const worker = new Worker();
    assert.equal(await worker.failure({ open: { adapter: { ...ADAPTER, backend } } }), "no_adapter", backend);
    assert.equal(await worker.ended, 0);
  }
  const worker = new Worker();
  assert.equal(await worker.failure(run(sevens(2)), FOUR), "no_device");
});

test("a stream that is no protocol ends it with an error", async () => {
  for (const bytes of [Buffer.from([9, 0, 0, 0, 1]), Buffer.from([1, 0, 0, 0, 0x7b])]) {
    const worker = new Worker();
    worker.process.stdin.end(bytes);
    assert.notEqual(await worker.ended, 0);
  }
});
