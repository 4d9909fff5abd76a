//! Exact arithmetic for twins: WGSL chunks, with the Rust functions that compute the same beside them, and the function
//! that joins chunks to a kernel's own WGSL. Knows no kernel and no device.
//!
//! WGSL has no imports. A module that needs 64-bit sums, packed samples or its place in a grid names the chunks it builds
//! on, and [`join`] puts their source in front of it, each chunk once and behind those it needs. A chunk holds functions
//! over values only: access to storage stays in the kernel's module, because WGSL cannot pass a storage pointer to a
//! function portably.
//!
//! | chunk | offers | Rust side |
//! |---|---|---|
//! | `wide` | 64-bit integers as `vec2<u32>`, the low word first | [`wide`] |
//! | `samples` | samples of a plane packed as they are stored | [`samples`] |
//! | `grid` | the linear index of a workgroup and of an invocation | [`grid`] |
//! | `seal` | f32 `+ − ×` that no compiler rewrites, exact sums and products, pairs | [`seal`] |
//! | `divide` | f32 division, rounded once | [`divide`] |
//! | `square_root` | f32 square root, rounded once | [`square_root`] |
//! | `soft` | IEEE f32 in `u32` arithmetic, conversions, rounding to whole numbers | [`soft`] |
//! | `soft64` | IEEE f64 as `vec2<u32>`, conversions, rounding to whole numbers | [`soft64`] |
//! | `math_exp`, `math_pow`, … | elementary functions of f32 | [`math`] |
//! | `ordered` | running float sums in the order of a reference, one by one or in parallel | [`ordered`] |
//! | `reduce` | 64-bit sums over a workgroup, ways to a sum over a grid | [`reduce`] |
//!
//! [`functions`] lists all functions with both of their sides, and [`check`] proves the sides equal on a device.

pub mod check;
pub mod chunk;
pub mod divide;
pub mod functions;
pub mod grid;
pub mod math;
pub mod ordered;
pub mod reduce;
pub mod samples;
pub mod seal;
pub mod soft;
pub mod soft64;
pub mod square_root;
pub mod wide;

pub use chunk::{CHUNKS, Chunk, JoinError, join};
