//! The exact twin of `ssim`: for each band of rows one dispatch for the moments in rows, and one for the terms.

use isobit::execution::Readback;
use isobit::frame::ClipShape;
use isobit::kernel::KernelError;
use isobit::output::Output;
use isobit::plan::Plan;

use super::bands::{Band, bands};
use super::{KERNEL, reference};
use crate::planes;

/// Invocations of a workgroup, one sample each: `INVOCATIONS` of the shader.
const INVOCATIONS: u64 = 64;
/// The buffers of moments in rows, which every band overwrites, with the bytes of their elements.
const MOMENTS: [(&str, u32); 5] = [("row_x", 4), ("row_y", 4), ("row_xx", 8), ("row_xy", 8), ("row_yy", 8)];

pub(super) fn plan(shape: &ClipShape) -> Result<Plan, KernelError> {
    let luma = &shape.planes[0];
    let samples = |rows: u32| u64::from(rows) * u64::from(luma.width);
    let workgroups = |rows| samples(rows).div_ceil(INVOCATIONS);
    let chunks = ["wide", "samples", "grid", "soft64"];
    let mut plan = Plan::new(planes::module_with(KERNEL.name, &chunks, include_str!("twin.wgsl"))?)
        .input("reference", 0, 0, luma.bytes())
        .input("distorted", 1, 0, luma.bytes())
        .uniform("plane", &planes::uniform(KERNEL.name, luma, shape.format.depth)?);
    let bands = bands(luma);
    let held = bands.iter().map(|band| samples(band.bottom - band.top)).max();
    for (name, element) in MOMENTS {
        plan = plan.scratch(name, held.unwrap_or(0), element);
    }
    let [x, y, xx, xy, yy] = MOMENTS.map(|(name, _)| name);
    for (index, band) in bands.iter().enumerate() {
        let named = |name: &str| format!("{name}_{index}");
        let (uniform, rows, terms) = (named("band"), named("rows"), named("terms"));
        plan = plan
            .uniform(&uniform, &words(band, shape))
            .output(&terms, samples(band.end - band.first), 8)
            .dispatch_as(
                &rows,
                "rows",
                &["plane", &uniform, x, y, xx, xy, yy, "reference", "distorted"],
                workgroups(band.bottom - band.top),
            )
            .dispatch_as(
                &terms,
                "terms",
                &["plane", &uniform, x, y, xx, xy, yy, &terms],
                workgroups(band.end - band.first),
            );
    }
    Ok(plan)
}

/// The words of the uniform `Band`: its rows, the rows of the plane, a word of padding, both stabilisers.
fn words(band: &Band, shape: &ClipShape) -> [u32; 10] {
    let [c1, c2] = reference::stabilisers(shape.format.depth).map(f64::to_bits);
    let [low, high] = [|bits: u64| bits as u32, |bits: u64| (bits >> 32) as u32];
    let &Band {
        first,
        end,
        top,
        bottom,
    } = band;
    let height = shape.planes[0].height;
    [first, end, top, bottom, height, 0, low(c1), high(c1), low(c2), high(c2)]
}

pub(super) fn finish(shape: &ClipShape, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    let luma = &shape.planes[0];
    let mut terms = Vec::with_capacity(luma.samples() as usize);
    for index in 0..bands(luma).len() {
        terms.extend(
            readback
                .u64s(&format!("terms_{index}"))?
                .into_iter()
                .map(f64::from_bits),
        );
    }
    Ok(vec![reference::score(frame, terms, luma)])
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};

    use super::*;

    #[test]
    fn the_terms_of_all_bands_are_one_plane() {
        let shape = ClipShape::tight(Format::new(Layout::Yuv420, Depth::U8), 400_000, 4);
        let terms: Vec<f64> = (0..1_600_000).map(f64::from).collect();
        let band = |index: usize| {
            let bits = terms[index * 800_000..][..800_000].iter().map(|term| term.to_bits());
            (format!("terms_{index}"), bits.flat_map(u64::to_le_bytes).collect())
        };
        let readback = Readback {
            buffers: [band(0), band(1)].into(),
        };
        let expected = reference::score(1, terms.clone(), &shape.planes[0]);
        assert_eq!(finish(&shape, 1, &readback).unwrap(), [expected]);
        assert!(finish(&shape, 1, &Readback::default()).is_err());
    }

    #[test]
    fn the_shader_has_as_many_invocations_as_the_plan_counts_on_and_the_taps_of_the_reference() {
        let source = include_str!("twin.wgsl");
        assert!(source.contains(&format!("const INVOCATIONS: u32 = {INVOCATIONS}u;")));
        let taps = reference::TAPS.map(|tap| format!("{tap}u")).join(", ");
        assert!(source.contains(&taps), "{taps}");
    }

    #[test]
    fn a_plane_of_8k_fits_the_bindings_of_every_device() {
        let shape = ClipShape::tight(Format::new(Layout::Yuv444, Depth::U16), 8192, 4320);
        let plan = plan(&shape).unwrap();
        let sizes = plan.buffers.values().map(|buffer| buffer.bytes);
        assert!(sizes.clone().max() <= Some(128 << 20));
        assert!(sizes.sum::<u64>() < 1 << 30);
    }
}
