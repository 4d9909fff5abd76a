//! The kernels and controls of this workspace: the list that its gate runs. Holds nothing else.

use isobit::kernel::{Kernel, Registry};

/// Every kernel, family by family.
const KERNELS: &[Kernel] = &[
    colour::srgb_to_linear::KERNEL,
    colour::linear_to_srgb::KERNEL,
    quality::psnr::KERNEL,
    quality::float_moment::KERNEL,
];

/// Every kernel and control of this workspace.
pub const fn registry() -> Registry {
    Registry {
        kernels: KERNELS,
        controls: controls::CONTROLS,
    }
}
