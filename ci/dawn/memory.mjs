// Where a plan's buffers lie between their guard zones, what memory is filled with before each run, and what two runs
// left, compared. The same numbers as crates/isobit-wgpu/src/{memory,layout,inspect}.rs, on no device.

/** The least bytes of the guard zone before a buffer. */
const FRONT = 256;
/** Bytes of the guard zone behind a buffer. */
const BACK = 4096;
/** Bytes after which the poison repeats. */
export const PERIOD = 1 << 20;
/** Bytes of the number that proves completion. */
export const SENTINEL = 8;

const words = (bytes) => Math.ceil(bytes / 4) * 4;

/** One period of poison for each of the two runs; the second is the complement of the first. */
export const POISON = (() => {
  const pattern = new Uint32Array(PERIOD / 4);
  for (let i = 0; i < pattern.length; i++) pattern[i] = 0xa5000000 | (Math.imul(i, 0x9e3779b1) >>> 8);
  return [new Uint8Array(pattern.buffer), new Uint8Array(pattern.map((word) => ~word).buffer)];
})();

/** The allocations of a plan's buffers by name, in the order of the names, and what is read back of them. */
export function layout(plan, alignment) {
  const places = new Map();
  let runBytes = 0;
  Object.keys(plan.buffers)
    .sort()
    .forEach((name, before) => {
      const { bytes, role } = plan.buffers[name];
      const start = Math.ceil((FRONT * (before + 1)) / alignment) * alignment;
      const end = start + words(bytes);
      const total = end + BACK;
      const ranges =
        role === "output" ? [[0, total]] : role === "scratch" ? [[0, start], [end, total]] : [];
      const copies = ranges.map(([from, to]) => {
        const at = runBytes;
        runBytes += to - from;
        return { from, to, at };
      });
      places.set(name, { start, bytes, end, total, bound: total - start, copies });
    });
  return { places, runBytes, readback: runBytes * 2 + SENTINEL };
}

/** What a plan needs more of than a device of `limits` offers; null where there is room for all of it. */
export function lacking(plan, { places, readback }, limits) {
  const needs = [];
  for (const [name, { role, bytes }] of Object.entries(plan.buffers)) {
    if (role.uniform) {
      needs.push([`uniform \`${name}\``, bytes, limits.maxUniformBufferBindingSize]);
      continue;
    }
    const { bound, total } = places.get(name);
    const what = `buffer \`${name}\` of ${bytes} bytes with its guard zones`;
    needs.push([what, bound, limits.maxStorageBufferBindingSize], [what, total, limits.maxBufferSize]);
  }
  needs.push(["the read-back of one frame", readback, limits.maxBufferSize]);
  const found = needs.find(([, needed, offered]) => needed > offered);
  return found === undefined ? null : { what: found[0], needed: found[1], offered: found[2] };
}

/** `[start, end)` of an allocation cut where the poison repeats: offset in the poison, place, bytes. */
export function* periods(start, end) {
  for (let at = start; at < end; ) {
    const offset = at % PERIOD;
    const bytes = Math.min(PERIOD - offset, end - at);
    yield [offset, at, bytes];
    at += bytes;
  }
}

/** The faults that the images of one buffer after both runs show, at most one of each kind. */
export function faults(frame, buffer, element, place, runs) {
  const tallies = { guard_before: tally(), untouched: tally(), unstable: tally(), guard_after: tally() };
  for (const at of changed(runs, place, 0, place.start)) add(tallies.guard_before, place.start - 1 - at);
  for (const at of changed(runs, place, place.end, place.total)) add(tallies.guard_after, at - place.end);
  judge(runs, place, element, tallies);
  return Object.entries(tallies)
    .filter(([, { count }]) => count > 0)
    .map(([kind, { count, first }]) => ({ frame, buffer, kind, count, first }));
}

const tally = () => ({ count: 0, first: 0 });

function add(tally, index) {
  tally.first = tally.count === 0 ? index : Math.min(tally.first, index);
  tally.count += 1;
}

/** Part `[start, end)` of a buffer in the read-back of a run; null where it was not read back. */
function part(run, place, start, end) {
  const copy = place.copies.find(({ from, to }) => from <= start && end <= to);
  return copy === undefined ? null : run.subarray(copy.at + start - copy.from, copy.at + end - copy.from);
}

/** The data of a buffer as a run left it. */
export const data = (run, place) => part(run, place, place.start, place.start + place.bytes);

/** Places in a guard zone that hold no poison after either run. */
function* changed(runs, place, start, end) {
  const zones = runs.map((run) => part(run, place, start, end));
  if (zones[0] === null) return;
  for (let at = start; at < end; at++) {
    const offset = at % PERIOD;
    if (zones.some((zone, run) => zone[at - start] !== POISON[run][offset])) yield at;
  }
}

/** Elements that both runs left as poison, and others in which they differ. */
function judge(runs, place, element, { untouched, unstable }) {
  const [first, second] = runs.map((run) => data(run, place));
  // Poison never equals its complement, so equal images hold nothing untouched.
  if (first === null || Buffer.compare(first, second) === 0) return;
  for (let index = 0; index * element < place.bytes; index++) {
    let worst = 0;
    for (let at = index * element; at < Math.min((index + 1) * element, place.bytes); at++) {
      if (first[at] === second[at]) continue;
      const poison = POISON[0][(place.start + at) % PERIOD];
      const left = first[at] === poison && second[at] === (poison ^ 0xff);
      worst = Math.max(worst, left ? 1 : 2);
    }
    if (worst === 1) add(untouched, index);
    if (worst === 2) add(unstable, index);
  }
}
