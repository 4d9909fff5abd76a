//! The specification of the `ycbcr_to_rgb` kernels, after ITU-T H.273 and the ITU-R recommendations that it refers to.
//!
//! Chroma is sited left: horizontally on every other luma sample, vertically (4:2:0) halfway between two. It is interpolated
//! linearly, repeated beyond the edges, and kept in eighths of a code without rounding. The matrix is applied in fixed point
//! and rounded once, to the nearest code, halves up.

use isobit::frame::{Input, Plane};
use isobit::kernel::KernelError;
use isobit::output::Output;

use super::RGB;
use crate::ycbcr::codes::Place;
use crate::ycbcr::coefficients::HALF;
use crate::ycbcr::{ToRgb, VARIANTS, Variant, max_code, middle};

pub(super) fn reference<const V: usize>(input: &Input) -> Result<Vec<Output>, KernelError> {
    let shape = input.shape();
    let (layout, bits) = (shape.format.layout, shape.format.depth.bits());
    let coefficients = ToRgb::new(VARIANTS[V], bits);
    let mut outputs = Vec::new();
    for frame in 0..input.frames() {
        let [luma, cb, cr] = [0, 1, 2].map(|plane| input.plane(0, frame, plane));
        let mut rgb = [const { Vec::new() }; 3];
        for y in 0..shape.height {
            let cb = upsampled(cb, layout.subsampling(1), shape.width, y);
            let cr = upsampled(cr, layout.subsampling(2), shape.width, y);
            for ((luma, cb), cr) in luma.codes(y).zip(cb).zip(cr) {
                let codes = pixel(VARIANTS[V], &coefficients, bits, [8 * luma, cb, cr]);
                for (plane, code) in rgb.iter_mut().zip(codes) {
                    plane.push(code);
                }
            }
        }
        outputs.extend(rgb.into_iter().enumerate().map(|(plane, codes)| {
            let size = (shape.width, shape.height);
            let place = Place {
                metric: RGB,
                frame,
                plane,
                size,
            };
            place.output(codes)
        }));
    }
    Ok(outputs)
}

/// Chroma at each of the `width` luma samples of row `y`, in eighths of a code.
pub fn upsampled(plane: &Plane, subsampling: (u32, u32), width: u32, y: u32) -> Vec<u32> {
    let column = column(plane, subsampling.1, y);
    let last = column.len() - 1;
    (0..width as usize)
        .map(|x| match (subsampling.0, x % 2) {
            (1, _) => 2 * column[x],
            (_, 0) => 2 * column[x / 2],
            _ => column[x / 2] + column[(x / 2 + 1).min(last)],
        })
        .collect()
}

/// Chroma at the height of luma row `y`, column by column, in quarters of a code.
fn column(plane: &Plane, vertical: u32, y: u32) -> Vec<u32> {
    if vertical == 1 {
        return plane.codes(y).map(|code| 4 * code).collect();
    }
    let near = y / 2;
    let far = if y.is_multiple_of(2) {
        near.saturating_sub(1)
    } else {
        (near + 1).min(plane.shape().height - 1)
    };
    let pairs = plane.codes(near).zip(plane.codes(far));
    pairs.map(|(near, far)| 3 * near + far).collect()
}

/// R'G'B' codes of a pixel whose luma and chroma are given in eighths of a code.
pub fn pixel(variant: Variant, coefficients: &ToRgb, bits: u32, eighths: [u32; 3]) -> [u32; 3] {
    let c = coefficients;
    let zeros = [variant.black(bits), middle(bits), middle(bits)];
    let [y, cb, cr] = [0, 1, 2].map(|i| i64::from(eighths[i]) - 8 * i64::from(zeros[i]));
    let luma = i64::from(c.luma) * y;
    [
        luma + i64::from(c.cr_in_red) * cr,
        luma - i64::from(c.cb_in_green) * cb - i64::from(c.cr_in_green) * cr,
        luma + i64::from(c.cb_in_blue) * cb,
    ]
    .map(|sum| ((sum + HALF) >> 32).clamp(0, max_code(bits).into()) as u32)
}
