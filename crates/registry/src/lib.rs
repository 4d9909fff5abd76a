//! The kernels and controls of this workspace. The gate and the runner are handed this list and know no other.

use std::sync::LazyLock;

use isobit::kernel::{Kernel, Registry};

/// Everything that the gate of this workspace runs, in the order in which reports show it.
pub fn registry() -> Registry {
    static KERNELS: LazyLock<Vec<Kernel>> = LazyLock::new(|| [colour::KERNELS, quality::KERNELS].concat());
    Registry {
        kernels: &KERNELS,
        controls: controls::CONTROLS,
    }
}
