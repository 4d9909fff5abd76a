// A worker of the gate that runs plans through Dawn. Holds no kernel and no verdict. The controller has checked a plan before
// it comes here, and checks the adapter that is opened.
//
// Requests come on standard input. Answers go to the file descriptor that the first argument names, since Dawn and drivers
// print to standard output as they please.

import { createWriteStream } from "node:fs";

import { Failed, Gpu } from "./device.mjs";
import { Bench } from "./session.mjs";
import { receive, send } from "./wire.mjs";

/** Errors after which the device can be used for another plan. */
const HARMLESS = new Set(["invalid_plan", "invalid_module", "limit"]);

const answers = createWriteStream(null, { fd: Number(process.argv[2] ?? 1) });
let bench = null;

for await (const { message, blobs } of receive(process.stdin)) {
  try {
    await answer(message, blobs);
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    await send(answers, { failed: { error: error.error } });
    // Releasing a device in doubt may never return.
    if (!HARMLESS.has(error.error.kind)) process.exit(0);
  }
}
process.exit(0);

async function answer({ open, run, time }, blobs) {
  if (open) {
    const gpu = await Gpu.open(open.adapter);
    bench = new Bench(gpu);
    gpu.check();
    await send(answers, { opened: { adapter: gpu.facts } });
  } else if (bench === null) {
    throw new Failed({ kind: "no_device", message: "a plan arrived before the adapter was opened" });
  } else if (run) {
    const { readbacks, faults, timing } = await bench.run(run, blobs);
    const buffers = [...(readbacks[0]?.keys() ?? [])];
    const left = readbacks.flatMap((outputs) => [...outputs.values()]);
    await send(answers, { ran: { buffers, frames: readbacks.length, faults, timing } }, left);
  } else {
    const what = time ? "plans are not timed through Dawn" : "the request is not one that this worker knows";
    throw new Failed({ kind: "invalid_plan", message: what });
  }
}
