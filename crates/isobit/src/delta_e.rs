//! Colour differences, as a measure of how far two pixels are apart. Double precision throughout.
//!
//! This is no part of a reference, so the platform's own `pow` will do: it is four times as fast as a portable one, and its
//! last bit is far below any bound on a colour difference.

use crate::kernel::Encoding;

/// The Euclidean distance of two colours in Oklab.
///
/// Source: Björn Ottosson, "A perceptual color space for image processing", matrices of the 2021 revision.
pub fn delta_e_ok(encoding: Encoding, a: [f64; 3], b: [f64; 3]) -> f64 {
    distance(oklab(linear(encoding, a)), oklab(linear(encoding, b)))
}

/// The CIEDE2000 difference of two colours.
///
/// Source: CIE 142-2001, in the formulation of Sharma, Wu and Dalal (2005); kL = kC = kH = 1.
pub fn delta_e_2000(encoding: Encoding, a: [f64; 3], b: [f64; 3]) -> f64 {
    ciede2000(cielab(linear(encoding, a)), cielab(linear(encoding, b)))
}

/// Whether every component of a colour is within the reach of a display, and as far below zero: at most 128 times the white in
/// linear light, or 8 in sRGB, which is 132 times. That takes in the 10,000 cd/m² of SMPTE ST 2084 over a white of 80 cd/m².
///
/// Colour differences are absolute in a cube root of light. Far beyond this range, even neighbouring f32 are many
/// just noticeable differences apart, although nobody could see either.
pub fn can_be_shown(encoding: Encoding, colour: [f64; 3]) -> bool {
    let limit = match encoding {
        Encoding::Linear => 128.0,
        Encoding::Srgb => 8.0,
    };
    colour.iter().all(|component| component.abs() <= limit)
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f64>().sqrt()
}

fn linear(encoding: Encoding, rgb: [f64; 3]) -> [f64; 3] {
    match encoding {
        Encoding::Linear => rgb,
        Encoding::Srgb => rgb.map(|v| {
            let magnitude = v.abs();
            let decoded = if magnitude <= 0.04045 {
                magnitude / 12.92
            } else {
                ((magnitude + 0.055) / 1.055).powf(2.4)
            };
            decoded.copysign(v)
        }),
    }
}

fn apply(matrix: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

fn oklab(rgb: [f64; 3]) -> [f64; 3] {
    const LMS: [[f64; 3]; 3] = [
        [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
        [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
        [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
    ];
    const LAB: [[f64; 3]; 3] = [
        [0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8],
        [1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9],
        [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0],
    ];
    apply(&LAB, apply(&LMS, rgb).map(libm::cbrt))
}

fn cielab(rgb: [f64; 3]) -> [f64; 3] {
    const XYZ: [[f64; 3]; 3] = [
        [0.412_456_4, 0.357_576_1, 0.180_437_5],
        [0.212_672_9, 0.715_152_2, 0.072_175_0],
        [0.019_333_9, 0.119_192_0, 0.950_304_1],
    ];
    const WHITE: [f64; 3] = [0.950_47, 1.0, 1.088_83];
    let xyz = apply(&XYZ, rgb);
    let [x, y, z] = [0, 1, 2].map(|i| {
        let t = xyz[i] / WHITE[i];
        if t > 216.0 / 24389.0 {
            libm::cbrt(t)
        } else {
            (24389.0 / 27.0 * t + 16.0) / 116.0
        }
    });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn ciede2000(a: [f64; 3], b: [f64; 3]) -> f64 {
    let pow7 = |v: f64| v * v * v * v * v * v * v;
    let chroma = |lab: [f64; 3]| libm::hypot(lab[1], lab[2]);
    let mean_chroma7 = pow7((chroma(a) + chroma(b)) / 2.0);
    let g = 0.5 * (1.0 - (mean_chroma7 / (mean_chroma7 + pow7(25.0))).sqrt());

    let prime = |lab: [f64; 3]| {
        let a = (1.0 + g) * lab[1];
        let hue = if a == 0.0 && lab[2] == 0.0 {
            0.0
        } else {
            libm::atan2(lab[2], a).to_degrees().rem_euclid(360.0)
        };
        (libm::hypot(a, lab[2]), hue)
    };
    let (c1, h1) = prime(a);
    let (c2, h2) = prime(b);

    let grey = c1 * c2 == 0.0;
    let turn = h2 - h1;
    let dh = match turn {
        _ if grey => 0.0,
        t if t > 180.0 => t - 360.0,
        t if t < -180.0 => t + 360.0,
        t => t,
    };
    let dl = b[0] - a[0];
    let dc = c2 - c1;
    let dh = 2.0 * (c1 * c2).sqrt() * sin_degrees(dh / 2.0);

    let l = (a[0] + b[0]) / 2.0;
    let c = (c1 + c2) / 2.0;
    let h = match h1 + h2 {
        sum if grey => sum,
        sum if turn.abs() <= 180.0 => sum / 2.0,
        sum if sum < 360.0 => (sum + 360.0) / 2.0,
        sum => (sum - 360.0) / 2.0,
    };

    let t = 1.0 - 0.17 * cos_degrees(h - 30.0) + 0.24 * cos_degrees(2.0 * h) + 0.32 * cos_degrees(3.0 * h + 6.0)
        - 0.20 * cos_degrees(4.0 * h - 63.0);
    let l50 = (l - 50.0) * (l - 50.0);
    let sl = 1.0 + 0.015 * l50 / (20.0 + l50).sqrt();
    let sc = 1.0 + 0.045 * c;
    let sh = 1.0 + 0.015 * c * t;
    let around_blue = (h - 275.0) / 25.0;
    let rotation = 30.0 * libm::exp(-around_blue * around_blue);
    let rt = -2.0 * (pow7(c) / (pow7(c) + pow7(25.0))).sqrt() * sin_degrees(2.0 * rotation);

    let (l, c, h) = (dl / sl, dc / sc, dh / sh);
    (l * l + c * c + h * h + rt * c * h).sqrt()
}

fn sin_degrees(degrees: f64) -> f64 {
    libm::sin(degrees.to_radians())
}

fn cos_degrees(degrees: f64) -> f64 {
    libm::cos(degrees.to_radians())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pairs of Sharma, Wu and Dalal that reach each branch: hue wrap-around, grey, large and small differences.
    const PAIRS: [([f64; 3], [f64; 3], f64); 12] = [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, -1.3802, -84.2814], [50.0, 0.0, -82.7485], 1.0000),
        ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.3669),
        ([50.0, 2.49, -0.001], [50.0, -2.49, 0.0009], 7.1792),
        ([50.0, 2.49, -0.001], [50.0, -2.49, 0.0011], 7.2195),
        ([50.0, 2.5, 0.0], [50.0, 0.0, -2.5], 4.3065),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
        ([50.0, 2.5, 0.0], [56.0, -27.0, -3.0], 31.9030),
        ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
        ([22.7233, 20.0904, -46.6940], [23.0331, 14.9730, -42.5619], 2.0373),
        ([90.8027, -2.0831, 1.4410], [91.1528, -1.6435, 0.0447], 1.4441),
        ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
    ];

    #[test]
    fn ciede2000_gives_the_published_differences() {
        for (a, b, expected) in PAIRS {
            for (a, b) in [(a, b), (b, a)] {
                let actual = ciede2000(a, b);
                assert!((actual - expected).abs() < 5e-5, "{a:?} {b:?}: {actual} {expected}");
            }
        }
    }

    #[test]
    fn white_is_the_unit_of_both_spaces() {
        let [l, a, b] = oklab([1.0; 3]);
        assert!((l - 1.0).abs() < 1e-6 && a.abs() < 1e-6 && b.abs() < 1e-6);
        let [l, a, b] = cielab([1.0; 3]);
        assert!((l - 100.0).abs() < 1e-2 && a.abs() < 1e-2 && b.abs() < 1e-2);
    }

    #[test]
    fn oklab_gives_the_published_vector() {
        // XYZ (1, 0, 0) of the paper's table is outside this entry; sRGB red is its companion in CSS Color 4.
        let [l, a, b] = oklab([1.0, 0.0, 0.0]);
        assert!((l - 0.62796).abs() < 1e-4 && (a - 0.22486).abs() < 1e-4 && (b - 0.12585).abs() < 1e-4);
    }
}
