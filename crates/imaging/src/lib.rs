//! Imaging kernels: stacking and editing of astronomical pictures. Knows no executor and no gate.
//!
//! One folder a kernel: `reference.rs` is the specification over [`raster::Raster`], `twin.wgsl` the same on the device, in
//! the same order and under the same names, `twin.rs` the plans around it. Each kernel has two twins of one text: `exact` with
//! sealed arithmetic and shared math, `native` with the device's own (`arithmetic`).
//!
//! # Numbers
//!
//! Every filter works on rasters of f32 that [`load`] makes of stored samples. They are zero or of a magnitude from 2^-40 to
//! 2^40, so that no product of a few of them, and no sum of such products, is subnormal or infinite.

pub mod accumulate;
pub mod align;
mod arithmetic;
pub mod colourise;
mod convolve;
pub mod deconvolve;
pub mod denoise;
pub mod edit_list;
mod filter;
pub mod geometry;
pub mod load;
pub mod luminance;
pub mod raster;
pub mod sharpness;
pub mod stack;
mod stages;
pub mod taps;
pub mod tone;
mod tree;
pub mod unsharp;
pub mod wavelet;

use isobit::kernel::Kernel;

/// Every kernel of this crate.
pub const KERNELS: &[Kernel] = &[
    sharpness::KERNEL,
    tone::KERNEL,
    colourise::KERNEL,
    geometry::KERNEL,
    accumulate::KERNEL,
    stack::KERNEL,
    unsharp::KERNEL,
    wavelet::KERNEL,
    denoise::KERNEL,
    deconvolve::KERNEL,
    edit_list::KERNEL,
];
