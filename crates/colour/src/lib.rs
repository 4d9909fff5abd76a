//! Colour kernels: functions of the colour of one pixel. Knows no executor and no gate.
//!
//! One folder a kernel: `reference.rs` is the specification, `twin.wgsl` the same on the device, in the same order and
//! under the same names, `twin.rs` the plan around it.

pub mod linear_to_srgb;
mod plane_map;
pub mod srgb_to_linear;

use isobit::kernel::Kernel;

/// Every kernel of this crate.
pub const KERNELS: &[Kernel] = &[srgb_to_linear::KERNEL, linear_to_srgb::KERNEL];
