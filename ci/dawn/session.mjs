// Runs plans: each frame twice over memory filled with complementary poison, the slices of a dispatch once in order and
// once in reverse. The same as crates/isobit-wgpu/src/session.rs, through Dawn.

import { Failed, oneLine } from "./device.mjs";
import { POISON, SENTINEL, data, faults, layout, lacking, periods } from "./memory.mjs";

/** The most workgroups that one dispatch of any device is sure to take. */
const MAX_GROUPS = 65_535;
/** Bytes from one entry of the grid uniform to the next. */
const GRID_STRIDE = 256;
/** Pipelines that are kept between plans. */
const KEPT = 256;

/** What is kept between plans. */
export class Bench {
  constructor(gpu) {
    this.gpu = gpu;
    this.modules = new Map();
    this.pipelines = new Map();
    this.nonces = 0n;
    this.mostGroups = Math.min(gpu.device.limits.maxComputeWorkgroupsPerDimension, MAX_GROUPS);
    this.poison = POISON.map((pattern) => this.filled(pattern));
    this.nonce = this.buffer(SENTINEL, GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST);
  }

  buffer(size, usage) {
    return this.gpu.device.createBuffer({ size, usage });
  }

  filled(bytes) {
    const buffer = this.buffer(bytes.byteLength, GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST);
    this.gpu.device.queue.writeBuffer(buffer, 0, bytes);
    return buffer;
  }

  /** Runs `plan` on every frame; `planes` holds the stored bytes of each clip, frame and plane in that order. */
  async run({ plan, shape, clips, frames, limit_ms: patience }, planes) {
    if (planes.length !== clips * frames * shape.planes.length) {
      throw new Failed({ kind: "invalid_plan", message: `${planes.length} blobs for ${clips} clips of ${frames} frames` });
    }
    const started = performance.now();
    const places = layout(plan, this.gpu.device.limits.minStorageBufferOffsetAlignment);
    const limit = lacking(plan, places, this.gpu.device.limits);
    if (limit !== null) throw new Failed({ kind: "limit", ...limit });
    const dispatches = plan.steps.filter((step) => step.dispatch).map((step) => step.dispatch);
    const pipelines = [];
    for (const dispatch of dispatches) pipelines.push(await this.pipeline(plan, dispatch));
    this.gpu.check();
    const pipelined = performance.now();

    const plane = (clip, frame, index) => planes[(clip * frames + frame) * shape.planes.length + index];
    const session = new Session(this, plan, places, dispatches, pipelines);
    const result = { readbacks: [], faults: [] };
    try {
      for (let frame = 0; frame < frames; frame++) {
        const ran = await session.frame(plane, frame, patience);
        result.readbacks.push(ran.outputs);
        result.faults.push(...ran.faults);
      }
    } finally {
      session.end();
    }
    this.gpu.check();
    return { ...result, timing: { pipelines_ms: pipelined - started, device_ms: performance.now() - pipelined } };
  }

  /** The pipeline of a dispatch, and whether its entry point reads the grid. */
  async pipeline(plan, { module, entry, constants }) {
    const source = plan.modules[module]?.wgsl;
    if (source === undefined) {
      throw new Failed({ kind: "invalid_plan", message: `a dispatch names module \`${module}\`, which is not there` });
    }
    const key = JSON.stringify([source, entry, constants]);
    const kept = this.pipelines.get(key);
    if (kept !== undefined) return kept;
    const compute = { module: await this.module(module, source), entryPoint: entry, constants };
    let pipeline;
    try {
      pipeline = await this.gpu.device.createComputePipelineAsync({ layout: "auto", compute });
    } catch (error) {
      throw new Failed({ kind: "invalid_module", module, message: oneLine(error.message) });
    }
    // A layout does not tell what it holds; whether it takes a uniform in group 1 does.
    const probe = this.buffer(GRID_STRIDE, GPUBufferUsage.UNIFORM);
    const { error } = await this.gpu.tried(() => this.gridGroup(pipeline, probe, 0));
    probe.destroy();
    const made = { pipeline, grid: error === null };
    if (this.pipelines.size >= KEPT) this.pipelines.delete(this.pipelines.keys().next().value);
    this.pipelines.set(key, made);
    return made;
  }

  /** The compiled module of a source; one that Tint refuses leaves the device as it was. */
  async module(name, source) {
    const kept = this.modules.get(source);
    if (kept !== undefined) return kept;
    const { made, error } = await this.gpu.tried(() => this.gpu.device.createShaderModule({ code: source }));
    if (error !== null) throw new Failed({ kind: "invalid_module", module: name, message: error });
    this.modules.set(source, made);
    return made;
  }

  gridGroup(pipeline, buffer, offset) {
    return this.gpu.device.createBindGroup({
      layout: pipeline.getBindGroupLayout(1),
      entries: [{ binding: 0, resource: { buffer, offset, size: 16 } }],
    });
  }
}

/** A plan with all that a frame needs, made once for all frames. */
class Session {
  constructor(bench, plan, places, dispatches, pipelines) {
    this.bench = bench;
    this.plan = plan;
    this.layout = places;
    this.buffers = new Map();
    for (const [name, place] of this.layout.places) this.buffers.set(name, this.allocate(name, place));
    this.readback = bench.buffer(this.layout.readback, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
    this.launches = dispatches.map((dispatch, index) => this.launch(dispatch, pipelines[index]));
  }

  allocate(name, place) {
    const { role, bytes } = this.plan.buffers[name];
    if (role.uniform) return this.uniform(Uint32Array.from(role.uniform.words), bytes);
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = this.bench.buffer(place.total, usage);
    if (role.constant) {
      this.bench.gpu.device.queue.writeBuffer(buffer, place.start, Uint32Array.from(role.constant.words));
    }
    return buffer;
  }

  uniform(words, bytes) {
    const buffer = this.bench.buffer(bytes, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST);
    this.bench.gpu.device.queue.writeBuffer(buffer, 0, words);
    return buffer;
  }

  launch({ bindings, workgroups }, { pipeline, grid }) {
    const entries = Object.entries(bindings).map(([binding, name]) => {
      const place = this.layout.places.get(name);
      const buffer = this.buffers.get(name);
      const uniform = this.plan.buffers[name].role.uniform;
      const resource = uniform
        ? { buffer, offset: 0, size: place.bytes }
        : { buffer, offset: place.start, size: place.bound };
      return { binding: Number(binding), resource };
    });
    const group = this.bench.gpu.device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
    return { pipeline, group, slices: this.slices(pipeline, workgroups, grid) };
  }

  /** The parts in which a dispatch is submitted, each with its grid where the entry point reads one. */
  slices(pipeline, workgroups, grid) {
    if (!grid) return [{ groups: workgroups, grid: null }];
    const most = this.bench.mostGroups;
    const count = Math.ceil(workgroups / most);
    const words = new Uint32Array((count * GRID_STRIDE) / 4);
    for (let slice = 0; slice < count; slice++) words.set([slice * most, workgroups], (slice * GRID_STRIDE) / 4);
    this.grids ??= [];
    const buffer = this.uniform(words, words.byteLength);
    this.grids.push(buffer);
    return Array.from({ length: count }, (_, slice) => ({
      groups: Math.min(most, workgroups - slice * most),
      grid: this.bench.gridGroup(pipeline, buffer, slice * GRID_STRIDE),
    }));
  }

  async frame(plane, frame, patience) {
    const { bench, layout } = this;
    const { device } = bench.gpu;
    const inputs = this.upload(plane, frame);
    bench.nonces = BigInt.asUintN(64, bench.nonces + 1n);
    const nonce = new BigUint64Array([BigInt.asUintN(64, bench.nonces * 0x9e3779b97f4a7c15n)]);
    device.queue.writeBuffer(bench.nonce, 0, nonce);

    const encoder = device.createCommandEncoder();
    for (const run of [0, 1]) {
      this.fill(encoder, run, inputs);
      this.steps(encoder, run);
      for (const [name, place] of layout.places) {
        for (const { from, to, at } of place.copies) {
          encoder.copyBufferToBuffer(this.buffers.get(name), from, this.readback, run * layout.runBytes + at, to - from);
        }
      }
    }
    encoder.copyBufferToBuffer(bench.nonce, 0, this.readback, layout.runBytes * 2, SENTINEL);
    device.queue.submit([encoder.finish()]);
    const ran = await bench.gpu.map(this.readback, layout.readback, patience, (view) => this.inspect(view, frame, nonce));
    for (const { tails } of inputs) tails?.destroy();
    return ran;
  }

  /** Writes the whole words of each input, and returns what each run has to put behind them. */
  upload(plane, frame) {
    const inputs = [];
    for (const [name, { role }] of Object.entries(this.plan.buffers)) {
      if (!role.input) continue;
      const { clip, plane: index, back = 0 } = role.input;
      const bytes = plane(clip, Math.max(frame - back, 0), index);
      const whole = bytes.length - (bytes.length % 4);
      const place = this.layout.places.get(name);
      if (whole > 0) this.bench.gpu.device.queue.writeBuffer(this.buffers.get(name), place.start, bytes.subarray(0, whole));
      if (whole === bytes.length) continue;
      // The word in which a plane ends is padded with the poison of the run.
      const words = new Uint8Array(8);
      for (const run of [0, 1]) {
        for (let i = 0; i < 4; i++) {
          const stored = bytes[whole + i];
          words[run * 4 + i] = stored ?? POISON[run][(place.start + whole + i) % POISON[run].length];
        }
      }
      inputs.push({ name, tails: this.bench.filled(words) });
    }
    return inputs;
  }

  /** Fills all that the plan has not been given with the poison of `run`. */
  fill(encoder, run, inputs) {
    const poison = (name, start, end) => {
      for (const [offset, at, bytes] of periods(start, end)) {
        encoder.copyBufferToBuffer(this.bench.poison[run], offset, this.buffers.get(name), at, bytes);
      }
    };
    for (const [name, place] of this.layout.places) {
      const { role } = this.plan.buffers[name];
      if (role.uniform) continue;
      if (role.input || role.constant) {
        poison(name, 0, place.start);
        poison(name, place.end, place.total);
      } else {
        poison(name, 0, place.total);
      }
    }
    for (const { name, tails } of inputs) {
      encoder.copyBufferToBuffer(tails, run * 4, this.buffers.get(name), this.layout.places.get(name).end - 4, 4);
    }
  }

  steps(encoder, run) {
    const launches = this.launches.values();
    let pass = null;
    for (const step of this.plan.steps) {
      if (step.clear) {
        pass?.end();
        pass = null;
        const { start, bytes } = this.layout.places.get(step.clear.buffer);
        encoder.clearBuffer(this.buffers.get(step.clear.buffer), start, bytes);
      } else {
        pass ??= encoder.beginComputePass();
        this.dispatch(pass, launches.next().value, run);
      }
    }
    pass?.end();
  }

  dispatch(pass, { pipeline, group, slices }, run) {
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    for (const { groups, grid } of run === 0 ? slices : [...slices].reverse()) {
      if (grid !== null) pass.setBindGroup(1, grid);
      pass.dispatchWorkgroups(groups);
    }
  }

  inspect(view, frame, nonce) {
    const { runBytes, places } = this.layout;
    const found = Buffer.from(view.subarray(runBytes * 2));
    if (found.compare(Buffer.from(nonce.buffer)) !== 0) throw new Failed({ kind: "sentinel" });
    const runs = [view.subarray(0, runBytes), view.subarray(runBytes, runBytes * 2)];
    const outputs = new Map();
    const all = [];
    for (const [name, place] of places) {
      const { role, element } = this.plan.buffers[name];
      if (place.copies.length === 0) continue;
      // The view goes away with the mapping.
      if (role === "output") outputs.set(name, Buffer.from(data(runs[0], place)));
      all.push(...faults(frame, name, element, place, runs));
    }
    return { outputs, faults: all };
  }

  end() {
    for (const buffer of [...this.buffers.values(), ...(this.grids ?? []), this.readback]) buffer.destroy();
  }
}
