//! Runs plans through wgpu. The only crate that names a GPU library; knows nothing of lanes, tolerances or verdicts.
//!
//! * [`validate`] checks a plan without a device: modules, bindings, sizes, aliases;
//! * [`Executor`] opens the adapter that a lane asks for and runs plans on it, every frame twice.
//!
//! # What an execution proves
//!
//! **Poison.** Before each of the two runs of a frame, scratch and output buffers are filled with a pattern, the second
//! time with its complement. An output byte that equals the pattern both times was never written; one that differs
//! otherwise depends on what the memory held before, on a race, or on the order of dispatch slices, which the second run
//! reverses. The pattern depends on the position, so that sums and differences of unwritten values do not cancel.
//!
//! **Guard zones.** A buffer lies between two poisoned zones, and a storage binding reaches to the end of the zone behind,
//! so that a write past the buffer's end lands in it and is found. How far a wild index reaches depends on who checks it,
//! which is for the driver to choose: without `robustBufferAccess2` naga clamps every index to the last element of
//! the binding, so that any index past the end, or a negative one, hits the last word of the zone behind; with it, the
//! hardware discards what lies beyond the binding, and only the zone's own bytes tell. The zone before a buffer is hit only
//! by code that nobody checks. Zones around inputs and constants hold poison too: a read past an end yields garbage
//! that differs between the two runs, never a comfortable zero.
//!
//! A fixed-size `array<T, N>` is clamped to its own length before any binding is looked at, so that a wild index there
//! stays inside the buffer and shows as a wrong value instead.
//!
//! **Completion.** The last command of a frame copies a number that was never used before into the read-back buffer. A
//! driver that loses the commands and reports success all the same cannot know it.
//!
//! # After an error
//!
//! An [`ExecutionError`](isobit::execution::ExecutionError) for which `device_usable` is false ends the life of an
//! executor: further runs return the same error. Its device is then leaked on purpose, since a driver that
//! is still busy may never return from the release; the process should exit soon.

mod adapter;
mod device;
mod executor;
mod inspect;
mod layout;
mod memory;
mod pipeline;
mod session;
pub mod validate;

pub use executor::Executor;
