//! The specification of the `rgb_to_ycbcr` kernels, after ITU-T H.273 and the ITU-R recommendations that it refers to.
//!
//! Chroma is sited left: horizontally on every other luma sample, where it is (1, 2, 1)/4 of three neighbours, vertically
//! (4:2:0) halfway between two, of which it is the mean; pixels are repeated beyond the edges. Pixels are filtered in eighths
//! of a code without rounding. The matrix, which is linear, is applied to the result in fixed point, and rounded once.

use isobit::frame::{Input, Plane};
use isobit::kernel::KernelError;
use isobit::output::Output;

use super::{CHROMA, LUMA};
use crate::ycbcr::codes::Place;
use crate::ycbcr::coefficients::HALF;
use crate::ycbcr::{FromRgb, VARIANTS, Variant, max_code, middle};

pub(super) fn reference<const V: usize>(input: &Input) -> Result<Vec<Output>, KernelError> {
    let shape = input.shape();
    let bits = shape.format.depth.bits();
    let coefficients = FromRgb::new(VARIANTS[V], bits);
    let mut outputs = Vec::new();
    for frame in 0..input.frames() {
        let place = |metric, plane, size| Place {
            metric,
            frame,
            plane,
            size,
        };
        let rgb = [0, 1, 2].map(|plane| input.plane(0, frame, plane));

        let pixels = (0..shape.height).flat_map(|y| rows(rgb, Filter::NONE, y));
        let codes = pixels
            .map(|pixel| luma(VARIANTS[V], &coefficients, bits, pixel))
            .collect();
        outputs.push(place(LUMA, 0, (shape.width, shape.height)).output(codes));

        for subsampled in CHROMA {
            let size = subsampled.layout.plane_size(1, shape.width, shape.height);
            let filter = Filter::new(subsampled.layout.subsampling(1));
            let pixels = (0..size.1).flat_map(|y| rows(rgb, filter, y));
            let (cb, cr) = pixels
                .map(|pixel| chroma(&coefficients, bits, pixel))
                .map(|[cb, cr]| (cb, cr))
                .unzip();
            outputs.push(place(subsampled.metric, 1, size).output(cb));
            outputs.push(place(subsampled.metric, 2, size).output(cr));
        }
    }
    Ok(outputs)
}

/// How many pixels a sample of chroma stands for: 1 or 2, horizontally and vertically.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    horizontal: u32,
    vertical: u32,
}

impl Filter {
    /// A sample a pixel.
    pub const NONE: Self = Self::new((1, 1));

    /// The filter of a subsampling.
    pub const fn new((horizontal, vertical): (u32, u32)) -> Self {
        Self { horizontal, vertical }
    }
}

/// Row `y` of the filtered picture, pixel by pixel.
fn rows(rgb: [&Plane; 3], filter: Filter, y: u32) -> Vec<[u32; 3]> {
    let [r, g, b] = rgb.map(|plane| downsampled(plane, filter, y));
    let pixels = r.into_iter().zip(g).zip(b);
    pixels.map(|((r, g), b)| [r, g, b]).collect()
}

/// Row `y` of a filtered plane, in eighths of a code.
pub fn downsampled(plane: &Plane, filter: Filter, y: u32) -> Vec<u32> {
    if filter.vertical == 1 {
        return row(plane, filter, y).into_iter().map(|sum| 2 * sum).collect();
    }
    let last = plane.shape().height - 1;
    let (upper, lower) = (row(plane, filter, 2 * y), row(plane, filter, (2 * y + 1).min(last)));
    upper
        .into_iter()
        .zip(lower)
        .map(|(upper, lower)| upper + lower)
        .collect()
}

/// Row `y` of a plane, filtered horizontally, in quarters of a code.
fn row(plane: &Plane, filter: Filter, y: u32) -> Vec<u32> {
    let codes: Vec<u32> = plane.codes(y).collect();
    if filter.horizontal == 1 {
        return codes.iter().map(|code| 4 * code).collect();
    }
    let last = codes.len() - 1;
    (0..codes.len())
        .step_by(2)
        .map(|x| codes[x.saturating_sub(1)] + 2 * codes[x] + codes[(x + 1).min(last)])
        .collect()
}

/// The luma code of a pixel in eighths of a code, to the nearest, halves up.
pub fn luma(variant: Variant, coefficients: &FromRgb, bits: u32, eighths: [u32; 3]) -> u32 {
    let sum = weighted(coefficients.luma, eighths, [1, 1, 1]);
    let code = ((sum + HALF) >> 32) + i64::from(variant.black(bits));
    code.clamp(0, max_code(bits).into()) as u32
}

/// The codes of Cb and Cr of a pixel in eighths of a code, to the nearest, halves away from the middle.
pub fn chroma(coefficients: &FromRgb, bits: u32, eighths: [u32; 3]) -> [u32; 2] {
    [
        weighted(coefficients.cb, eighths, [-1, -1, 1]),
        weighted(coefficients.cr, eighths, [1, -1, -1]),
    ]
    .map(|sum| {
        // The sign is -1 or 0: a half below zero falls short of the next code.
        let code = ((sum + HALF + (sum >> 63)) >> 32) + i64::from(middle(bits));
        code.clamp(0, max_code(bits).into()) as u32
    })
}

fn weighted(coefficients: [u32; 3], eighths: [u32; 3], signs: [i64; 3]) -> i64 {
    (0..3)
        .map(|i| signs[i] * i64::from(coefficients[i]) * i64::from(eighths[i]))
        .sum()
}
