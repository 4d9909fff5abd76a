// A device of Dawn whose errors are collected and whose waits end.

import { createRequire } from "node:module";
import { create, globals } from "webgpu";

Object.assign(globalThis, globals);

const { version } = createRequire(import.meta.url)("webgpu/package.json");

/** The limits that plans run into, under the names that reports use. */
const LIMITS = [
  "maxBufferSize",
  "maxStorageBufferBindingSize",
  "maxUniformBufferBindingSize",
  "maxStorageBuffersPerShaderStage",
  "maxUniformBuffersPerShaderStage",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupSizeX",
  "maxComputeWorkgroupSizeY",
  "maxComputeWorkgroupSizeZ",
  "maxComputeWorkgroupStorageSize",
  "maxComputeWorkgroupsPerDimension",
  "minStorageBufferOffsetAlignment",
  "minUniformBufferOffsetAlignment",
];

/** An error of the kinds that the protocol knows. */
export class Failed extends Error {
  constructor(error) {
    super(error.message ?? error.kind);
    this.error = error;
  }
}

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
export const oneLine = (text) => String(text).split(/\s+/).join(" ").trim();

/** The first adapter of a backend. Which drivers are seen is decided by the environment that the process was started with. */
async function first(backend) {
  try {
    const gpu = create([`backend=${backend}`]);
    const adapter = await gpu.requestAdapter();
    if (adapter !== null) return { gpu, adapter };
  } catch (error) {
    throw new Failed({ kind: "no_adapter", found: [oneLine(error.message)] });
  }
  throw new Failed({ kind: "no_adapter", found: [] });
}

/** The adapter, the facts about it, and its device. */
export class Gpu {
  static async open({ backend }) {
    const { gpu, adapter } = await first(backend);
    // Every limit and no feature: what a plan does must not depend on extras.
    const requiredLimits = Object.fromEntries(LIMITS.map((name) => [name, adapter.limits[name]]));
    let device;
    try {
      device = await adapter.requestDevice({ requiredLimits });
    } catch (error) {
      throw new Failed({ kind: "no_device", message: oneLine(error.message) });
    }
    return new Gpu(gpu, adapter, device, backend);
  }

  constructor(gpu, adapter, device, backend) {
    // Dawn for Node crashes when its entry is collected while a device lives.
    this.root = gpu;
    this.adapter = adapter;
    this.device = device;
    this.problem = null;
    device.addEventListener("uncapturederror", ({ error }) => {
      const kind = error instanceof GPUOutOfMemoryError ? "out_of_memory" : "validation";
      this.problem ??= { kind, message: oneLine(error.message) };
    });
    device.lost.then(({ reason, message }) => {
      if (this.problem?.kind !== "device_lost") {
        this.problem = { kind: "device_lost", message: oneLine(`${reason}: ${message}`) };
      }
    });
    const { info } = adapter;
    this.facts = {
      backend,
      kind: info.isFallbackAdapter ? "cpu" : "other",
      name: info.device,
      driver: info.architecture,
      driver_info: info.description,
      // Dawn gives names here, and no numbers.
      vendor: 0,
      device: 0,
      compiler: `tint (webgpu ${version})`,
      limits: {
        ...Object.fromEntries(LIMITS.map((name) => [snake(name), device.limits[name]])),
        subgroup_min_size: info.subgroupMinSize,
        subgroup_max_size: info.subgroupMaxSize,
      },
    };
  }

  /** Throws what the device has reported since it was made. */
  check() {
    if (this.problem !== null) throw new Failed(this.problem);
  }

  /** The bytes of a read-back buffer once all submitted work is done, handed to `read` while they are mapped. */
  async map(buffer, bytes, limitMs, read) {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Failed({ kind: "timeout", seconds: Math.ceil(limitMs / 1000) })), limitMs);
    });
    try {
      await Promise.race([buffer.mapAsync(GPUMapMode.READ, 0, bytes), late]);
    } catch (error) {
      this.check();
      throw error instanceof Failed ? error : new Failed({ kind: "validation", message: oneLine(error.message) });
    } finally {
      clearTimeout(timer);
    }
    try {
      this.check();
      return read(new Uint8Array(buffer.getMappedRange(0, bytes)));
    } finally {
      buffer.unmap();
    }
  }

  /** What `make` returns, and whether the device found it valid. */
  async tried(make) {
    this.device.pushErrorScope("validation");
    const made = make();
    const error = await this.device.popErrorScope();
    return { made, error: error === null ? null : oneLine(error.message) };
  }
}
