//! The specification of `srgb_to_oklab`.

use isobit::frame::Input;
use isobit::kernel::KernelError;
use isobit::output::Output;

use super::OKLAB;
use crate::oklab::oklab;
use crate::pixel_map;
use crate::srgb_to_linear::{TRANSFER, srgb_to_linear};

/// L, a and b of an sRGB colour: its linear light in [`oklab`], whose range and exceptions hold.
pub fn srgb_to_oklab(encoded: [f32; 3]) -> [f32; 3] {
    oklab(encoded.map(srgb_to_linear))
}

pub(super) fn reference(input: &Input) -> Result<Vec<Output>, KernelError> {
    let linear = TRANSFER.samples(input.shape().format.depth);
    let function = |stored: [f32; 3]| oklab(stored.map(|sample| linear.of(sample)));
    Ok(pixel_map::reference(input, OKLAB, function))
}
