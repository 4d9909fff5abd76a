//! Video quality kernels: scores of a distorted clip against a reference clip. Knows no executor and no gate.
//!
//! The definitions are those of the scalar C of libvmaf (Netflix/vmaf at commit f85a8536, `libvmaf/src/feature/`): formulas,
//! constants and order of operations are its, and `tests/golden` holds the references to its printed scores. One folder
//! a kernel: `reference.rs` is the specification, `twin.wgsl` the device's part in the same order and under the same names,
//! `twin.rs` the plan around it.

pub mod adm;
pub mod cambi;
pub mod float_moment;
pub mod float_psnr;
pub mod motion;
pub mod motion_v2;
mod planes;
pub mod psnr;
pub mod psnr_hvs;
mod scaled;
pub mod ssim;
pub mod vif;

use isobit::kernel::Kernel;

/// Every kernel of this crate.
pub const KERNELS: &[Kernel] = &[
    psnr::KERNEL,
    psnr::APSNR,
    float_psnr::KERNEL,
    float_moment::KERNEL,
    ssim::KERNEL,
    motion::KERNEL,
    motion_v2::KERNEL,
    adm::KERNEL,
    psnr_hvs::KERNEL,
    cambi::KERNEL,
    cambi::FULL_REFERENCE,
    vif::KERNEL,
];
