//! Layers of the à-trous wavelet transform with the cubic B-spline, in the reference and on the device.
//!
//! Each smoothing takes the fivefold binomial weights (1, 4, 6, 4, 1)/16 along rows and columns, at a spacing that doubles
//! from layer to layer; a layer is what its smoothing takes away (Starck and Murtagh, Astronomical Image and Data Analysis,
//! 2nd edition, section 2.2 and appendix A). All layers and the last smoothing add up to the raster.

use isobit::kernel::KernelError;
use isobit::plan::Plan;

use crate::arithmetic::Arithmetic;
use crate::convolve::{self, Site, Tap, convolved, separable};
use crate::raster::Raster;

/// The weights two samples and one sample from the centre.
const SPLINE: [f32; 2] = [1.0 / 16.0, 4.0 / 16.0];

/// The taps of the smoothing behind layer `layer`, counted from zero.
fn taps(layer: usize) -> [Vec<Tap>; 2] {
    separable(&SPLINE, 1 << layer)
}

/// `raster` smoothed along its rows, then along its columns too.
pub(crate) fn smoothed(raster: &Raster, layer: usize) -> [Raster; 2] {
    let [across, down] = taps(layer);
    let rows = convolved(raster, &across);
    let smooth = convolved(&rows, &down);
    [rows, smooth]
}

/// Adds the smoothing behind layer `layer` of raster `from` to a plan: the buffers `{name}_rows` and `{name}_smooth`, left by
/// dispatches of these names.
pub(crate) fn append(
    mut plan: Plan,
    kernel: &'static str,
    arithmetic: Arithmetic,
    size: [u32; 2],
    layer: usize,
    from: &str,
    name: &str,
) -> Result<Plan, KernelError> {
    let samples = u64::from(size[0]) * u64::from(size[1]);
    let [rows, smooth] = ["rows", "smooth"].map(|part| format!("{name}_{part}"));
    let [across, down] = taps(layer);
    for (taps, from, to) in [(across, from, &rows), (down, &rows, &smooth)] {
        let table = format!("{to}_taps");
        let site = Site {
            kernel,
            arithmetic,
            size,
            taps: taps.len(),
            table: &table,
        };
        plan = convolve::constant(plan, &table, &taps).scratch(to, samples, 4);
        plan = convolve::append(plan, site, from, to, to)?;
    }
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_impulse_shows_the_spline_at_the_spacing_of_its_layer() {
        for layer in 0..6 {
            let (spacing, centre) = (1u32 << layer, 80);
            let impulse = Raster::of(161, 161, |x, y| f32::from(u8::from((x, y) == (centre, centre))));
            let [_, smooth] = smoothed(&impulse, layer);
            let weight = |place: u32| match place.abs_diff(centre) {
                0 => 6.0,
                distance if distance == spacing => 4.0,
                distance if distance == 2 * spacing => 1.0,
                _ => 0.0,
            };
            let expected = Raster::of(161, 161, |x, y| weight(x) * weight(y) / 256.0);
            assert_eq!(smooth, expected, "layer {layer}");
        }
    }
}
