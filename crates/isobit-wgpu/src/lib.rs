//! Runs plans through wgpu. The only crate that names a GPU library; knows nothing of lanes, tolerances or verdicts.
//!
//! * [`validate`] checks a plan without a device: modules, bindings, sizes, aliases;
//! * [`Executor`] opens the adapter that a lane asks for and runs plans on it, every frame twice;
//! * [`backend`] runs kernels for applications, on a device or by their references.
//!
//! # What an execution proves
//!
//! **Poison.** Before each of the two runs of a frame, scratch and output buffers are filled with a pattern, the second
//! time with its complement. An output byte that equals the pattern both times was never written; one that differs
//! otherwise depends on what the memory held before, on a race, or on the order of dispatch slices, which the second run
//! reverses. The pattern depends on the position, so that sums and differences of unwritten values do not cancel.
//!
//! **Guard zones.** A buffer lies between two poisoned zones, and a storage binding reaches to the end of the 4 KiB behind
//! it, so that a write past the buffer's end lands there and is found. What happens to an index beyond even that, or
//! to a negative one, which wraps around, depends on the driver. Where it has no `robustBufferAccess2` (SwiftShader), naga
//! clamps the index to the last element of the binding: it is found in the last word of the zone. Where it has
//! (lavapipe), the access is discarded, so that the lost write can only show as a value that is missing. The zone before a
//! buffer is hit only by code that nobody checks. Zones around inputs and constants hold poison too, and so does the rest
//! of the word in which an input ends: a read past an end yields garbage that differs between the two runs, never a
//! comfortable zero.
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
pub mod backend;
mod device;
mod executor;
mod inspect;
mod layout;
mod memory;
mod pipeline;
mod session;
mod timing;
pub mod validate;

pub use executor::Executor;
