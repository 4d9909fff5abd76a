//! The specification of `delta_e_2000`.
//!
//! Source: CIE 142-2001, in the formulation of Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula: implementation
//! notes, supplementary test data, and mathematical observations" (2005), with kL = kC = kH = 1. Angles are in radians. The
//! difference of hues is the angle between the two vectors, from the exact cross product, where the paper subtracts angles:
//! the same number, with an error that does not grow with the hue. The mean hue jumps by half a turn where two hues are
//! opposite; those within 2^−16 of it count as opposite, so that rounding does not choose the side.
//!
//! Light is held to the range of [`crate::oklab`]. Where a term cannot reach the last place of the result, it is left out before it
//! becomes so small that a driver would flush it: the chroma of a grey below 2^−6, a rotation below e^−20, weighted
//! differences below 2^−24.

use isobit::frame::Input;
use isobit::kernel::KernelError;
use isobit::output::Output;
use isobit_exact::math::{atan2, cbrt, cos, exp, hypot, sin};
use isobit_exact::seal::two_product;

use crate::constants::constants;
use crate::delta_e;
use crate::oklab::{LEAST_LIGHT, MOST_LIGHT, is_no_colour, row_sum, settled};

constants! {
    /// Linear light of BT.709 to X/Xn, Y/Yn and Z/Zn of D65, row by row.
    CIE_00 = 0.412_456_4 / 0.950_47;
    CIE_01 = 0.357_576_1 / 0.950_47;
    CIE_02 = 0.180_437_5 / 0.950_47;
    CIE_10 = 0.212_672_9;
    CIE_11 = 0.715_152_2;
    CIE_12 = 0.072_175_0;
    CIE_20 = 0.019_333_9 / 1.088_83;
    CIE_21 = 0.119_192_0 / 1.088_83;
    CIE_22 = 0.950_304_1 / 1.088_83;
    /// Where the cube root begins, and the line below it.
    CIE_BRANCH = 216.0 / 24389.0;
    CIE_SLOPE = 24389.0 / 27.0 / 116.0;
    CIE_OFFSET = 16.0 / 116.0;
    TWO_PI = 2.0 * std::f64::consts::PI;
    HALF_TURN = std::f64::consts::PI;
    /// 30°, 6°, 63°, 275° and 1/25°.
    ANGLE_30 = std::f64::consts::PI / 6.0;
    ANGLE_6 = std::f64::consts::PI / 30.0;
    ANGLE_63 = 63.0 * std::f64::consts::PI / 180.0;
    ANGLE_275 = 275.0 * std::f64::consts::PI / 180.0;
    ANGLE_25_INVERSE = 180.0 / (25.0 * std::f64::consts::PI);
    /// 60°.
    ANGLE_60 = std::f64::consts::PI / 3.0;
    /// 25^7.
    CHROMA_25 = 6_103_515_625.0;
    /// 2^−16: the angle from exact opposition, in radians, up to which hues are opposite.
    OPPOSITE = 1.0 / 65536.0;
    /// 2^−6, 2^−60 and 2^−24.
    LEAST_CHROMA = 1.0 / 64.0;
    LEAST_ANGLE = 1.0 / (1u64 << 60) as f64;
    LEAST_DIFFERENCE = 1.0 / (1u64 << 24) as f64;
}

/// L*, a* and b* of linear light under D65, 1.0 the white; all NaN where a component is beyond ±128 or not a number.
pub fn cielab(linear: [f32; 3]) -> [f32; 3] {
    if is_no_colour(linear, MOST_LIGHT) {
        return [f32::NAN; 3];
    }
    let light = linear.map(|component| settled(component, LEAST_LIGHT));
    let [x, y, z] = [
        [CIE_00, CIE_01, CIE_02],
        [CIE_10, CIE_11, CIE_12],
        [CIE_20, CIE_21, CIE_22],
    ]
    .map(|row| {
        let t = row_sum(row, light);
        if t > CIE_BRANCH {
            cbrt(t)
        } else {
            CIE_SLOPE * t + CIE_OFFSET
        }
    });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// The CIEDE2000 difference of two colours, both as L*, a* and b*; NaN if a component is.
pub fn ciede2000(first: [f32; 3], second: [f32; 3]) -> f32 {
    if first.iter().chain(&second).any(|component| component.is_nan()) {
        return f32::NAN;
    }
    let mean_chroma = (hypot(first[1], first[2]) + hypot(second[1], second[2])) * 0.5;
    let stretch = 1.5 - 0.5 * seventh(mean_chroma).sqrt();
    let (a1, b1) = (stretch * first[1], first[2]);
    let (a2, b2) = (stretch * second[1], second[2]);
    let (c1, c2) = (hypot(a1, b1), hypot(a2, b2));
    let (h1, h2) = (hue(a1, b1), hue(a2, b2));
    let grey = c1 == 0.0 || c2 == 0.0;

    // The angle from the first colour to the second, and whether the shorter way leads past hue 0.
    let [left, left_low] = two_product(a1, b2);
    let [right, right_low] = two_product(b1, a2);
    let cross = (left - right) + (left_low - right_low);
    let dot = a1 * a2 + b1 * b2;
    let turn = h2 - h1;
    let opposite = dot < 0.0 && cross.abs() <= OPPOSITE * -dot;
    let half_turn = if turn < 0.0 { -HALF_TURN } else { HALF_TURN };
    let angle = if opposite { half_turn } else { atan2(cross, dot) };
    let angle = if grey { 0.0 } else { settled(angle, LEAST_ANGLE) };
    let wraps = turn.abs() > 3.0 && (angle < 0.0) == (turn > 0.0);

    let dl = second[0] - first[0];
    let dc = c2 - c1;
    let dh = (2.0 * (c1 * c2).sqrt()) * sin(angle * 0.5);

    let l = (first[0] + second[0]) * 0.5;
    let c = (c1 + c2) * 0.5;
    let sum = h1 + h2;
    let h = if grey {
        sum
    } else if !wraps {
        sum * 0.5
    } else if sum < TWO_PI {
        (sum + TWO_PI) * 0.5
    } else {
        (sum - TWO_PI) * 0.5
    };

    let t = 1.0 - 0.17 * cos(h - ANGLE_30);
    let t = t + 0.24 * cos(2.0 * h);
    let t = t + 0.32 * cos(3.0 * h + ANGLE_6);
    let t = t - 0.2 * cos(4.0 * h - ANGLE_63);
    let from_50 = (l - 50.0) * (l - 50.0);
    let sl = 1.0 + (0.015 * from_50) / (20.0 + from_50).sqrt();
    let sc = 1.0 + 0.045 * c;
    let sh = 1.0 + (0.015 * c) * t;
    let around_blue = (h - ANGLE_275) * ANGLE_25_INVERSE;
    let distance = around_blue * around_blue;
    let rotation = if distance > 20.0 { 0.0 } else { exp(-distance) };
    let rt = (-2.0 * seventh(c).sqrt()) * sin(ANGLE_60 * rotation);

    let l = settled(dl / sl, LEAST_DIFFERENCE);
    let c = settled(dc / sc, LEAST_DIFFERENCE);
    let h = settled(dh / sh, LEAST_DIFFERENCE);
    let squares = (l * l + c * c) + h * h;
    let total = squares + (rt * c) * h;
    if total <= 0.0 { 0.0 } else { total.sqrt() }
}

/// c^7 / (c^7 + 25^7); 1 from c = 1000 on, where it rounds to 1.
fn seventh(chroma: f32) -> f32 {
    let c = settled(chroma, LEAST_CHROMA);
    let c = if c > 1000.0 { 1000.0 } else { c };
    let square = c * c;
    let power = (square * square) * (square * c);
    power / (power + CHROMA_25)
}

/// The hue from 0 to 2π, 0 for grey.
fn hue(a: f32, b: f32) -> f32 {
    let angle = if a == 0.0 && b == 0.0 { 0.0 } else { atan2(b, a) };
    if angle < 0.0 { angle + TWO_PI } else { angle }
}

pub(super) fn reference(input: &Input) -> Result<Vec<Output>, KernelError> {
    Ok(delta_e::reference(input, |a, b| ciede2000(cielab(a), cielab(b))))
}
