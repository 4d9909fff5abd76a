// A device that is lost, and one that does not finish in time. Needs a Vulkan driver, as the tests of the worker do.

import assert from "node:assert/strict";
import test, { after } from "node:test";

import { Gpu } from "../device.mjs";
import { Bench } from "../session.mjs";
import { ADAPTER, output, plan, run, sevens } from "./harness.mjs";

const FOUR = [Buffer.from([1, 2, 3, 4])];
const failed = (kind) => ({ error }) => error?.kind === kind;

// A device in doubt may never be released, and this process ends with its tests.
after(() => setTimeout(() => process.exit(), 100).unref());

test("a device that is lost is told, and stays lost", async () => {
  const bench = new Bench(await Gpu.open(ADAPTER));
  assert.equal((await bench.run(run(sevens(2)).run, FOUR)).faults.length, 0);
  bench.gpu.device.destroy();
  await assert.rejects(bench.run(run(sevens(2)).run, FOUR), failed("device_lost"));
  await assert.rejects(bench.run(run(sevens(3)).run, FOUR), failed("device_lost"));
});

test("the wait for a device ends", async () => {
  const bench = new Bench(await Gpu.open(ADAPTER));
  const wgsl = `
    @group(0) @binding(0) var<storage, read_write> out: array<u32>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
      var x = id.x;
      for (var i = 0u; i < 3000000u; i++) { x = x * 1664525u + 1013904223u + out[i & 63u]; }
      out[id.x] = x;
    }`;
  const slow = plan(wgsl, { out: output(256) }, [["main", ["out"], 1]]);
  await assert.rejects(bench.run(run(slow, 4, 1).run, FOUR), failed("timeout"));
});
