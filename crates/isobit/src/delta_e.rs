//! Colour differences, as a measure of how far two pixels are apart. Double precision throughout.
//!
//! This is no part of a reference, so the platform's own `pow` will do: it is four times as fast as a portable one, and its
//! last bit is far below any bound on a colour difference. Two colours that are compared are nearly always neighbours, and
//! many pixels share a component; what follows is arranged for that.

use crate::kernel::Encoding;

/// The Euclidean distance of two colours in Oklab.
///
/// Source: Björn Ottosson, "A perceptual color space for image processing", matrices of the 2021 revision.
pub fn delta_e_ok(encoding: Encoding, a: [f64; 3], b: [f64; 3]) -> f64 {
    oklab_distance(linear(encoding, a), linear(encoding, b))
}

/// The CIEDE2000 difference of two colours.
///
/// Source: CIE 142-2001, in the formulation of Sharma, Wu and Dalal (2005); kL = kC = kH = 1.
pub fn delta_e_2000(encoding: Encoding, a: [f64; 3], b: [f64; 3]) -> f64 {
    cielab_difference(linear(encoding, a), linear(encoding, b))
}

/// Both differences of two colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Differences {
    /// [`delta_e_ok`].
    pub ok: f64,
    /// [`delta_e_2000`].
    pub ciede2000: f64,
}

/// Measures many pairs of colours in one encoding.
#[derive(Debug)]
pub struct Meter {
    encoding: Encoding,
    /// Components that were decoded lately and their linear light, at the place that the component's bits give.
    decoded: Vec<(f64, f64)>,
}

impl Meter {
    /// The number of components that are remembered: as many as 12 bits have codes.
    const REMEMBERED: usize = 1 << 12;

    /// A meter of colours in `encoding`.
    pub fn new(encoding: Encoding) -> Self {
        let decoded = match encoding {
            Encoding::Linear => Vec::new(),
            Encoding::Srgb => vec![(0.0, 0.0); Self::REMEMBERED],
        };
        Self { encoding, decoded }
    }

    /// Both differences of two colours.
    pub fn differences(&mut self, a: [f64; 3], b: [f64; 3]) -> Differences {
        let (a, b) = (self.linear(a), self.linear(b));
        Differences {
            ok: oklab_distance(a, b),
            ciede2000: cielab_difference(a, b),
        }
    }

    fn linear(&mut self, colour: [f64; 3]) -> [f64; 3] {
        match self.encoding {
            Encoding::Linear => colour,
            Encoding::Srgb => colour.map(|v| {
                // The upper bits of a product depend on all bits of its factors.
                let place = v.to_bits().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - Self::REMEMBERED.trailing_zeros());
                let slot = &mut self.decoded[place as usize];
                if slot.0.to_bits() != v.to_bits() {
                    *slot = (v, decode(v));
                }
                slot.1
            }),
        }
    }
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

fn linear(encoding: Encoding, colour: [f64; 3]) -> [f64; 3] {
    match encoding {
        Encoding::Linear => colour,
        Encoding::Srgb => colour.map(decode),
    }
}

/// Linear light of an sRGB component.
fn decode(v: f64) -> f64 {
    let magnitude = v.abs();
    let decoded = if magnitude <= 0.04045 {
        magnitude / 12.92
    } else {
        ((magnitude + 0.055) / 1.055).powf(2.4)
    };
    decoded.copysign(v)
}

fn apply(matrix: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

/// The cube root, with a relative error below 1e-13.
///
/// A third of the exponent, then two steps of Halley's method: each triples the number of right digits.
fn cube_root(x: f64) -> f64 {
    let magnitude = x.abs();
    if !(f64::MIN_POSITIVE..f64::MAX).contains(&magnitude) {
        return x.cbrt();
    }
    let mut root = f64::from_bits(magnitude.to_bits() / 3 + 0x2A9F_7893_782D_A1CE);
    for _ in 0..2 {
        let cube = root * root * root;
        // The quotient is near 1, so that nothing under- or overflows.
        root *= (cube + 2.0 * magnitude) / (2.0 * cube + magnitude);
    }
    root.copysign(x)
}

/// The cube roots of two numbers. Of neighbours, the error of one is also the other's, and their difference is free of it.
fn cube_roots(a: f64, b: f64) -> (f64, f64) {
    let root = cube_root(a);
    let step = (b - a) / a;
    if step.abs() <= 1e-4 {
        // The binomial series of (1 + step)^(1/3).
        let third = step / 3.0;
        (root, root + root * third * (1.0 - third * (1.0 - third * (5.0 / 3.0))))
    } else {
        (root, cube_root(b))
    }
}

fn oklab_distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    const LMS: [[f64; 3]; 3] = [
        [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
        [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
        [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
    ];
    let (a, b) = (apply(&LMS, a), apply(&LMS, b));
    let roots = [0, 1, 2].map(|i| cube_roots(a[i], b[i]));
    let (a, b) = (oklab(roots.map(|pair| pair.0)), oklab(roots.map(|pair| pair.1)));
    let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f64>().sqrt()
}

/// Oklab of the cube roots of the three cone responses.
fn oklab(roots: [f64; 3]) -> [f64; 3] {
    const LAB: [[f64; 3]; 3] = [
        [0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8],
        [1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9],
        [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0],
    ];
    apply(&LAB, roots)
}

fn cielab_difference(a: [f64; 3], b: [f64; 3]) -> f64 {
    const XYZ: [[f64; 3]; 3] = [
        [0.412_456_4, 0.357_576_1, 0.180_437_5],
        [0.212_672_9, 0.715_152_2, 0.072_175_0],
        [0.019_333_9, 0.119_192_0, 0.950_304_1],
    ];
    const WHITE: [f64; 3] = [0.950_47, 1.0, 1.088_83];
    const EPSILON: f64 = 216.0 / 24389.0;
    let line = |t: f64| (24389.0 / 27.0 * t + 16.0) / 116.0;
    let (a, b) = (apply(&XYZ, a), apply(&XYZ, b));
    let pairs = [0, 1, 2].map(|i| {
        let (a, b) = (a[i] / WHITE[i], b[i] / WHITE[i]);
        match (a > EPSILON, b > EPSILON) {
            (true, true) => cube_roots(a, b),
            (true, false) => (cube_root(a), line(b)),
            (false, true) => (line(a), cube_root(b)),
            (false, false) => (line(a), line(b)),
        }
    });
    ciede2000(cielab(pairs.map(|pair| pair.0)), cielab(pairs.map(|pair| pair.1)))
}

/// CIELAB of the three compressed tristimulus values.
fn cielab([x, y, z]: [f64; 3]) -> [f64; 3] {
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// The difference of two colours in CIELAB.
///
/// The published formulas speak of hue angles. Here a hue is a direction in the plane of a′ and b′: the mean hue of two
/// colours is the direction of the sum of their directions, which wraps around by itself, and the functions of multiples
/// of it are polynomials of its cosine and sine. One angle is left, in the term that rotates blues.
fn ciede2000(first: [f64; 3], second: [f64; 3]) -> f64 {
    let pow7 = |v: f64| v * v * v * v * v * v * v;
    let length = |x: f64, y: f64| (x * x + y * y).sqrt();
    let mean_chroma7 = pow7(f64::midpoint(length(first[1], first[2]), length(second[1], second[2])));
    let g = 0.5 * (1.0 - (mean_chroma7 / (mean_chroma7 + pow7(25.0))).sqrt());

    let (a1, b1) = ((1.0 + g) * first[1], first[2]);
    let (a2, b2) = ((1.0 + g) * second[1], second[2]);
    let (c1, c2) = (length(a1, b1), length(a2, b2));

    let dl = second[0] - first[0];
    let dc = c2 - c1;
    // 2 √(c1 c2) sin(Δh/2), from the sine and the cosine of Δh times c1 c2.
    let (sine, cosine) = (a1 * b2 - b1 * a2, a1 * a2 + b1 * b2);
    let grey = c1 * c2 == 0.0;
    let half_turn = (0.5 * (c1 * c2 + cosine)).sqrt();
    let dh = if grey {
        0.0
    } else if half_turn > 1e-3 * (c1 * c2).sqrt() {
        sine / half_turn
    } else {
        // Near opposite hues the sine has no digits left, and the cosine has all of them.
        (2.0 * (c1 * c2 - cosine)).sqrt().copysign(sine)
    };

    let l = f64::midpoint(first[0], second[0]);
    let c = f64::midpoint(c1, c2);
    // The cosine and sine of the mean hue. Of grey, the sum of both hues is taken, and that of a grey is zero.
    let (ch, sh) = if grey {
        match c1 + c2 {
            0.0 => (1.0, 0.0),
            chroma => ((a1 + a2) / chroma, (b1 + b2) / chroma),
        }
    } else {
        let (x, y) = (a1 / c1 + a2 / c2, b1 / c1 + b2 / c2);
        match length(x, y) {
            // Opposite hues: a quarter turn on from the smaller angle, as the mean of the angles is.
            norm if norm < 1e-12 => {
                let flip = if b1 > 0.0 || (b1 == 0.0 && a1 > 0.0) { 1.0 } else { -1.0 };
                (-flip * b1 / c1, flip * a1 / c1)
            }
            norm => (x / norm, y / norm),
        }
    };
    let (c2h, s2h) = (ch * ch - sh * sh, 2.0 * ch * sh);
    let (c3h, s3h) = (c2h * ch - s2h * sh, s2h * ch + c2h * sh);
    let (c4h, s4h) = (c2h * c2h - s2h * s2h, 2.0 * c2h * s2h);

    // cos and sin of 30°, 6° and 63°.
    const C30: f64 = 0.866_025_403_784_438_6;
    const S30: f64 = 0.5;
    const C6: f64 = 0.994_521_895_368_273_3;
    const S6: f64 = 0.104_528_463_267_653_47;
    const C63: f64 = 0.453_990_499_739_546_8;
    const S63: f64 = 0.891_006_524_188_367_9;
    let t =
        1.0 - 0.17 * (ch * C30 + sh * S30) + 0.24 * c2h + 0.32 * (c3h * C6 - s3h * S6) - 0.20 * (c4h * C63 + s4h * S63);
    let l50 = (l - 50.0) * (l - 50.0);
    let sl = 1.0 + 0.015 * l50 / (20.0 + l50).sqrt();
    let sc = 1.0 + 0.045 * c;
    let sh_weight = 1.0 + 0.015 * c * t;

    let (l, chroma, h) = (dl / sl, dc / sc, dh / sh_weight);
    (l * l + chroma * chroma + h * h + rotation(c, ch, sh) * chroma * h).sqrt()
}

/// The term that rotates blues: R_T of the mean chroma `c` and the mean hue, given by its cosine and sine.
fn rotation(c: f64, cosine: f64, sine: f64) -> f64 {
    // cos and sin of 275°. Five times the width of the term away, its exponential is 1e-11.
    const C275: f64 = 0.087_155_742_747_658_17;
    const S275: f64 = -0.996_194_698_091_745_5;
    const C125: f64 = -0.573_576_436_351_046;
    if cosine * C275 + sine * S275 < C125 {
        return 0.0;
    }
    let hue = sine.atan2(cosine).to_degrees().rem_euclid(360.0);
    let around_blue = (hue - 275.0) / 25.0;
    let angle = 30.0 * libm::exp(-around_blue * around_blue);
    let c7 = c * c * c * c * c * c * c;
    -2.0 * (c7 / (c7 + 6_103_515_625.0)).sqrt() * libm::sin((2.0 * angle).to_radians())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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
        for encoding in [Encoding::Linear, Encoding::Srgb] {
            let (black, white) = ([0.0; 3], [1.0; 3]);
            assert!((delta_e_ok(encoding, black, white) - 1.0).abs() < 1e-6);
            assert!((delta_e_2000(encoding, black, white) - 100.0).abs() < 1e-2);
        }
    }

    #[test]
    fn oklab_gives_the_published_vector() {
        // sRGB red of CSS Color 4, as a distance from black.
        let [l, a, b] = [0.627_96_f64, 0.224_86, 0.125_85];
        let red = delta_e_ok(Encoding::Srgb, [0.0; 3], [1.0, 0.0, 0.0]);
        assert!((red - (l * l + a * a + b * b).sqrt()).abs() < 1e-4, "{red}");
    }

    #[test]
    fn a_cube_root_is_right_at_the_edges_of_the_range() {
        for x in [
            0.0,
            -0.0,
            1e-320,
            1e-300,
            0.1,
            1.0,
            27.0,
            -8.0,
            1e300,
            f64::MAX,
            f64::INFINITY,
        ] {
            let (root, expected) = (cube_root(x), x.cbrt());
            assert!(
                root == expected || ((root - expected) / expected).abs() < 1e-13,
                "{x}: {root} {expected}"
            );
        }
        assert!(cube_root(f64::NAN).is_nan());
        assert_eq!(cube_roots(0.0, 0.0), (0.0, 0.0));
        assert_eq!(cube_roots(0.0, 8.0).1, cube_root(8.0));
    }

    /// The published formulas with hue angles in degrees.
    fn by_angles(a: [f64; 3], b: [f64; 3]) -> f64 {
        let pow7 = |v: f64| v.powi(7);
        let chroma7 = pow7((a[1].hypot(a[2]) + b[1].hypot(b[2])) / 2.0);
        let g = 0.5 * (1.0 - (chroma7 / (chroma7 + pow7(25.0))).sqrt());
        let prime = |lab: [f64; 3]| {
            let a = (1.0 + g) * lab[1];
            (a.hypot(lab[2]), lab[2].atan2(a).to_degrees().rem_euclid(360.0))
        };
        let ((c1, h1), (c2, h2)) = (prime(a), prime(b));
        let grey = c1 * c2 == 0.0;
        let turn = match h2 - h1 {
            _ if grey => 0.0,
            t if t > 180.0 => t - 360.0,
            t if t < -180.0 => t + 360.0,
            t => t,
        };
        let h = match h1 + h2 {
            sum if grey => sum,
            sum if (h2 - h1).abs() <= 180.0 => sum / 2.0,
            sum if sum < 360.0 => (sum + 360.0) / 2.0,
            sum => (sum - 360.0) / 2.0,
        };
        let cos = |degrees: f64| degrees.to_radians().cos();
        let sin = |degrees: f64| degrees.to_radians().sin();
        let c = (c1 + c2) / 2.0;
        let t =
            1.0 - 0.17 * cos(h - 30.0) + 0.24 * cos(2.0 * h) + 0.32 * cos(3.0 * h + 6.0) - 0.20 * cos(4.0 * h - 63.0);
        let l50 = ((a[0] + b[0]) / 2.0 - 50.0).powi(2);
        let rt = -2.0 * (pow7(c) / (pow7(c) + pow7(25.0))).sqrt() * sin(60.0 * (-((h - 275.0) / 25.0).powi(2)).exp());
        let l = (b[0] - a[0]) / (1.0 + 0.015 * l50 / (20.0 + l50).sqrt());
        let dc = (c2 - c1) / (1.0 + 0.045 * c);
        let dh = 2.0 * (c1 * c2).sqrt() * sin(turn / 2.0) / (1.0 + 0.015 * c * t);
        (l * l + dc * dc + dh * dh + rt * dc * dh).sqrt()
    }

    /// Any colour, and another one anywhere or close to it.
    fn colours() -> impl Strategy<Value = ([f64; 3], [f64; 3])> {
        let colour = || [0.0..100.0, -120.0..120.0, -120.0..120.0];
        (colour(), colour(), prop::sample::select(vec![1.0, 1e-3, 1e-6]))
            .prop_map(|(a, b, share)| (a, [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * share)))
    }

    proptest! {
        #[test]
        fn directions_give_what_angles_give((a, b) in colours()) {
            let (actual, expected) = (ciede2000(a, b), by_angles(a, b));
            prop_assert!((actual - expected).abs() <= 1e-9 * expected.max(1e-3), "{} {}", actual, expected);
        }

        #[test]
        fn a_meter_measures_what_the_functions_do(a in prop::array::uniform3(-0.5..8.0), b in prop::array::uniform3(-0.5..8.0)) {
            for encoding in [Encoding::Linear, Encoding::Srgb] {
                let mut meter = Meter::new(encoding);
                for _ in 0..2 {
                    let both = meter.differences(a, b);
                    prop_assert_eq!(both.ok, delta_e_ok(encoding, a, b));
                    prop_assert_eq!(both.ciede2000, delta_e_2000(encoding, a, b));
                }
            }
        }

        #[test]
        fn the_difference_of_cube_roots_keeps_its_digits(x in 1e-9..100.0, share in -0.2..0.2, scale in prop::sample::select(vec![1.0, 1e-3, 1e-6])) {
            let other = x * (1.0 + share * scale);
            let (root, near) = cube_roots(x, other);
            // (b − a) / (the sum of products of roots): no cancellation.
            let (a, b) = (x.cbrt(), other.cbrt());
            let expected = (other - x) / (a * a + a * b + b * b);
            prop_assert!((near - root - expected).abs() <= 1e-9 * expected.abs() + 4e-16 * root, "{} {}", near - root, expected);
            prop_assert!(((root - a) / a).abs() < 1e-13);
        }
    }
}
