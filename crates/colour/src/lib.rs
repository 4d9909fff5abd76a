//! Colour kernels: functions of the colour of one pixel. Knows no executor and no gate.
//!
//! One folder a kernel: `reference.rs` is the specification, `exact.wgsl` the same on the device, in the same order and
//! under the same names, `native.wgsl` the same in plain float, `twin.rs` the plans around them.

mod constants;
mod delta_e;
pub mod delta_e_2000;
pub mod delta_e_ok;
pub mod hlg_eotf;
pub mod hlg_oetf;
pub mod linear_to_srgb;
pub mod oklab;
pub mod oklab_to_srgb;
mod pixel_map;
mod plane_map;
pub mod pq_eotf;
pub mod pq_inverse_eotf;
pub mod primaries;
pub mod rgb_to_ycbcr;
pub mod scaled;
pub mod srgb_to_linear;
pub mod srgb_to_oklab;
pub mod transfer;
pub mod ycbcr;
pub mod ycbcr_to_rgb;

use isobit::kernel::Kernel;

/// Every kernel of this crate.
pub const KERNELS: &[Kernel] = &[
    srgb_to_linear::KERNEL,
    linear_to_srgb::KERNEL,
    srgb_to_oklab::KERNEL,
    oklab_to_srgb::KERNEL,
    delta_e_2000::KERNEL,
    delta_e_ok::KERNEL,
    pq_eotf::KERNEL,
    pq_inverse_eotf::KERNEL,
    hlg_eotf::KERNEL,
    hlg_oetf::KERNEL,
    primaries::DISPLAY_P3_TO_ACESCG,
    primaries::ACESCG_TO_DISPLAY_P3,
    ycbcr_to_rgb::BT601_LIMITED,
    ycbcr_to_rgb::BT601_FULL,
    ycbcr_to_rgb::BT709_LIMITED,
    ycbcr_to_rgb::BT709_FULL,
    ycbcr_to_rgb::BT2020_LIMITED,
    ycbcr_to_rgb::BT2020_FULL,
    rgb_to_ycbcr::BT601_LIMITED,
    rgb_to_ycbcr::BT601_FULL,
    rgb_to_ycbcr::BT709_LIMITED,
    rgb_to_ycbcr::BT709_FULL,
    rgb_to_ycbcr::BT2020_LIMITED,
    rgb_to_ycbcr::BT2020_FULL,
];
