//! The specification of `oklab_to_srgb`.

use isobit::format::Depth;
use isobit::frame::Input;
use isobit::kernel::KernelError;
use isobit::output::Output;

use super::SRGB;
use crate::linear_to_srgb::linear_to_srgb;
use crate::oklab::linear;
use crate::pixel_map;
use crate::scaled::{rounded, scaled_code};

/// The sRGB colour of L, a and b: its light by [`linear`], whose range and exceptions hold, encoded. What lies outside of the
/// gamut is below 0 or above 1.
pub fn oklab_to_srgb(lab: [f32; 3]) -> [f32; 3] {
    linear(lab).map(linear_to_srgb)
}

/// L, a and b of three codes: of depth `d`, the code `c` of L means c / (2^d − 1), and that of a or b means
/// (c − 2^(d−1)) / (2^d − 1), as for chroma of full range. Each is rounded once, or errs by less than 0.5001 units in the
/// last place.
pub fn lab_of_codes(codes: [u32; 3], max: u32) -> [f32; 3] {
    let middle = max / 2 + 1;
    let value = |code: u32| {
        if code == 0 {
            0.0
        } else {
            rounded(scaled_code(code, max))
        }
    };
    let signed = |code: u32| value(code.abs_diff(middle)).copysign(if code < middle { -1.0 } else { 1.0 });
    [value(codes[0]), signed(codes[1]), signed(codes[2])]
}

pub(super) fn reference(input: &Input) -> Result<Vec<Output>, KernelError> {
    let max = input.shape().format.depth.max_code();
    let function = |stored: [f32; 3]| match max {
        None => oklab_to_srgb(stored),
        Some(max) => oklab_to_srgb(lab_of_codes(stored.map(|code| code as u32), max)),
    };
    debug_assert!(max.is_some() || input.shape().format.depth == Depth::F32);
    Ok(pixel_map::reference(input, SRGB, function))
}
