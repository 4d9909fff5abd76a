// Places, poison and findings are those of the worker in Rust: the numbers here are those of its tests.

import assert from "node:assert/strict";
import test from "node:test";

import { PERIOD, POISON, faults, lacking, layout, periods } from "../memory.mjs";

const PLAN = {
  buffers: {
    u: { bytes: 16, element: 4, role: { uniform: { words: [0, 0, 0, 0] } } },
    c: { bytes: 12, element: 4, role: { constant: { words: [1, 2, 3] } } },
    out: { bytes: 20, element: 4, role: "output" },
    tmp: { bytes: 400, element: 4, role: "scratch" },
  },
};
const ALL = { maxUniformBufferBindingSize: 65536, maxStorageBufferBindingSize: 1 << 27, maxBufferSize: 1 << 28 };

test("only what a plan writes is read back", () => {
  const { places, readback } = layout(PLAN, 64);
  assert.deepEqual([...places.keys()], ["c", "out", "tmp", "u"]);
  assert.deepEqual(places.get("c").copies, []);
  assert.deepEqual(places.get("u").copies, []);
  assert.deepEqual(places.get("out").copies, [{ from: 0, to: 4628, at: 0 }]);
  assert.deepEqual(places.get("tmp").copies, [
    { from: 0, to: 768, at: 4628 },
    { from: 1168, to: 5264, at: 5396 },
  ]);
  assert.equal(readback, 2 * 9492 + 8);
});

test("what a device has no room for is named with both numbers", () => {
  const missing = (limits) => lacking(PLAN, layout(PLAN, 256), { ...ALL, ...limits });
  assert.equal(missing({}), null);
  const what = "buffer `tmp` of 400 bytes with its guard zones";
  assert.deepEqual(missing({ maxStorageBufferBindingSize: 4400 }), { what, needed: 4496, offered: 4400 });
  const readback = { what: "the read-back of one frame", needed: 18992, offered: 10000 };
  assert.deepEqual(missing({ maxBufferSize: 10000 }), readback);
  const uniform = { what: "uniform `u`", needed: 16, offered: 8 };
  assert.deepEqual(missing({ maxUniformBufferBindingSize: 8 }), uniform);
});

test("the poison of the two runs shares no byte", () => {
  const [first, second] = POISON;
  assert.equal(first.length, PERIOD);
  assert.ok(first.every((byte, at) => (byte ^ second[at]) === 0xff));
  const words = new DataView(first.buffer);
  assert.equal(words.getUint32(0, true), 0xa5000000);
  assert.equal(words.getUint32(4, true), 0xa59e3779);
  assert.equal(words.getUint32(8, true), 0xa53c6ef3);
});

test("periods cover a range once", () => {
  const pieces = [...periods(PERIOD - 8, 2 * PERIOD + 4)];
  assert.deepEqual(pieces, [
    [PERIOD - 8, PERIOD - 8, 8],
    [0, PERIOD, PERIOD],
    [0, 2 * PERIOD, 4],
  ]);
});

/** An output of 16 bytes as the two runs leave it. */
class Memory {
  constructor() {
    const { places, runBytes } = layout({ buffers: { out: { bytes: 16, element: 4, role: "output" } } }, 256);
    this.place = places.get("out");
    this.runs = POISON.map((pattern) => Buffer.from(pattern.subarray(0, runBytes)));
  }

  write(at, first, second = first) {
    this.runs[0].set(first, this.place.start + at);
    this.runs[1].set(second, this.place.start + at);
    return this;
  }

  faults(element) {
    const found = faults(3, "out", element, this.place, this.runs);
    assert.ok(found.every(({ frame, buffer }) => frame === 3 && buffer === "out"));
    return found.map(({ kind, count, first }) => [kind, count, first]);
  }
}

const sevens = (count) => new Array(count).fill(7);

test("what two runs leave is judged as the other worker judges it", () => {
  const poison = (run, at) => POISON[run][256 + at];
  assert.deepEqual(new Memory().write(0, sevens(16)).faults(4), []);
  assert.deepEqual(new Memory().faults(8), [["untouched", 2, 0]]);
  assert.deepEqual(new Memory().write(0, sevens(11)).faults(1), [["untouched", 5, 11]]);
  assert.deepEqual(new Memory().write(0, sevens(11)).faults(4), [["untouched", 2, 2]]);
  assert.deepEqual(new Memory().write(0, sevens(16)).write(6, [1], [2]).faults(2), [["unstable", 1, 3]]);
  const chance = Array.from({ length: 16 }, (_, at) => poison(0, at));
  assert.deepEqual(new Memory().write(0, chance).faults(4), []);
  const guards = new Memory().write(0, sevens(16)).write(-8, [0, 0, 0, 0]).write(20, [0, 0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(guards.faults(4), [
    ["guard_before", 4, 4],
    ["guard_after", 8, 4],
  ]);
  const once = new Memory().write(0, sevens(16)).write(16, [poison(0, 16)], [poison(1, 16) ^ 1]);
  assert.deepEqual(once.faults(4), [["guard_after", 1, 0]]);
});
