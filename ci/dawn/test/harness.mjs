// A worker as the controller meets it, and plans for it to run.

import { spawn } from "node:child_process";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

import { receive, send } from "../wire.mjs";

const WORKER = fileURLToPath(new URL("../worker.mjs", import.meta.url));
export const ADAPTER = { backend: "vulkan", kinds: ["cpu"], name: "*", driver: "*" };

/** Processes that a test which failed left behind: none outlives the tests. */
const running = new Set();
after(() => running.forEach((child) => child.kill("SIGKILL")));

/** A process that serves requests. */
export class Worker {
  constructor() {
    this.process = spawn(process.execPath, [WORKER, "3"], { stdio: ["pipe", "ignore", "ignore", "pipe"] });
    running.add(this.process);
    this.answers = receive(this.process.stdio[3]);
    // What is written to a worker that has ended is lost, as it should be.
    this.process.stdin.on("error", () => {});
    this.ended = new Promise((resolve) => this.process.on("exit", resolve));
  }

  static async open() {
    const worker = new Worker();
    await worker.ask({ open: { adapter: ADAPTER } });
    return worker;
  }

  /** The answer to a request and its blobs; undefined where the worker ends without one. */
  async ask(message, blobs = []) {
    await send(this.process.stdin, message, blobs);
    const { value } = await this.answers.next();
    return value;
  }

  /** The kind of the error with which a request fails. */
  async failure(message, blobs) {
    const answer = await this.ask(message, blobs);
    return answer.message.failed?.error.kind;
  }

  /** Closes its requests; the exit code. */
  end() {
    this.process.stdin.end();
    return this.ended;
  }
}

/** A request to run `plan` on one frame of one plane of `bytes` bytes. */
export function run(plan, bytes = 4, limit = 30_000) {
  const plane = { width: bytes, height: 1, stride: bytes };
  return { run: { plan, shape: { planes: [plane] }, clips: 1, frames: 1, limit_ms: limit } };
}

/** A plan of one module; `steps` are dispatches `[entry, buffers, workgroups]`. */
export function plan(wgsl, buffers, steps) {
  const dispatch = ([entry, names, workgroups]) => ({
    dispatch: {
      label: entry,
      module: "main",
      entry,
      bindings: Object.fromEntries(names.map((name, binding) => [binding, name])),
      constants: {},
      workgroups,
    },
  });
  return { modules: { main: { wgsl } }, buffers, steps: steps.map(dispatch) };
}

export const output = (bytes) => ({ bytes, element: 4, role: "output" });
export const input = (bytes) => ({ bytes, element: 1, role: { input: { clip: 0, plane: 0 } } });

/** A plan that writes 7 into each of `words` words, by a thread each. */
export function sevens(words, index = "i") {
  const wgsl = `
    @group(0) @binding(0) var<storage, read_write> out: array<u32>;
    @compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3<u32>) { let i = id.x; out[${index}] = 7u; }`;
  return plan(wgsl, { out: output(words * 4) }, [["main", ["out"], words]]);
}
