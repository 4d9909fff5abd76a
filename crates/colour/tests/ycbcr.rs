//! Holds both directions of Y'CbCr to the integers of the recommendations, to exact fractions and to each other.

#![expect(
    clippy::unwrap_used,
    reason = "a test ends at the first thing that is not as it should be"
)]

use colour::rgb_to_ycbcr::{self, Filter};
use colour::ycbcr::{BT601, BT709, BT2020, FromRgb, Range, ToRgb, VARIANTS, Variant, Weights, max_code, middle};
use colour::ycbcr_to_rgb;
use isobit::format::{Depth, Format, Layout};
use isobit::frame::{Clip, ClipShape, Frame, Input, Plane};
use isobit::kernel::Kernel;
use isobit::output::{Output, Values};
use proptest::prelude::*;

const DEPTHS: [u32; 4] = [8, 10, 12, 16];

fn from_rgb(variant: Variant, bits: u32, rgb: [u32; 3]) -> [u32; 3] {
    let coefficients = FromRgb::new(variant, bits);
    let eighths = rgb.map(|code| 8 * code);
    let [cb, cr] = rgb_to_ycbcr::chroma(&coefficients, bits, eighths);
    [rgb_to_ycbcr::luma(variant, &coefficients, bits, eighths), cb, cr]
}

fn to_rgb(variant: Variant, bits: u32, ycbcr: [u32; 3]) -> [u32; 3] {
    let coefficients = ToRgb::new(variant, bits);
    ycbcr_to_rgb::pixel(variant, &coefficients, bits, ycbcr.map(|code| 8 * code))
}

const fn limited(weights: Weights) -> Variant {
    Variant {
        weights,
        range: Range::Limited,
    }
}

const fn full(weights: Weights) -> Variant {
    Variant {
        weights,
        range: Range::Full,
    }
}

/// White, yellow, cyan, green, magenta, red, blue, black: which of red, green and blue are on.
const BARS: [[u32; 3]; 8] = [
    [1, 1, 1],
    [1, 1, 0],
    [0, 1, 1],
    [0, 1, 0],
    [1, 0, 1],
    [1, 0, 0],
    [0, 0, 1],
    [0, 0, 0],
];

#[test]
fn colour_bars_have_their_published_codes() {
    // Bars of 100 % and of 75 % in 8 bits, as ITU-R BT.801 and BT.1729 lay them out.
    let bars_601 = [
        [235, 128, 128],
        [210, 16, 146],
        [170, 166, 16],
        [145, 54, 34],
        [106, 202, 222],
        [81, 90, 240],
        [41, 240, 110],
        [16, 128, 128],
    ];
    let bars_601_75 = [
        [180, 128, 128],
        [162, 44, 142],
        [131, 156, 44],
        [112, 72, 58],
        [84, 184, 198],
        [65, 100, 212],
        [35, 212, 114],
        [16, 128, 128],
    ];
    let bars_709 = [
        [235, 128, 128],
        [219, 16, 138],
        [188, 154, 16],
        [173, 42, 26],
        [78, 214, 230],
        [63, 102, 240],
        [32, 240, 118],
        [16, 128, 128],
    ];
    let bars_709_75 = [
        [180, 128, 128],
        [168, 44, 136],
        [145, 147, 44],
        [133, 63, 52],
        [63, 193, 204],
        [51, 109, 212],
        [28, 212, 120],
        [16, 128, 128],
    ];
    for (weights, quarters, published) in [
        (BT601, 4, bars_601),
        (BT601, 3, bars_601_75),
        (BT709, 4, bars_709),
        (BT709, 3, bars_709_75),
    ] {
        for (bar, codes) in BARS.into_iter().zip(published) {
            // 8 bits cannot tell 75 %, and 16 bits are 256 times as fine.
            let rgb = bar.map(|component| component * u32::from(u16::MAX) * quarters / 4);
            let fine = from_rgb(limited(weights), 16, rgb);
            assert_eq!(fine.map(|code| (code + 128) / 256), codes, "{weights:?} {rgb:?}");
            // Half a code of luma is 0.6 codes of R'G'B', half a code of chroma at most 1.1.
            let back = to_rgb(limited(weights), 8, codes);
            for (before, after) in rgb.into_iter().zip(back) {
                assert!((before / 257).abs_diff(after) <= 2, "{rgb:?} became {back:?}");
            }
        }
    }
}

#[test]
fn the_ends_of_each_range_are_those_of_h273() {
    for bits in DEPTHS {
        let (max, middle, scale) = (max_code(bits), middle(bits), 1 << (bits - 8));
        for weights in [BT601, BT709, BT2020] {
            let codes = |variant, rgb| from_rgb(variant, bits, rgb);
            assert_eq!(codes(limited(weights), [max; 3]), [235 * scale, middle, middle]);
            assert_eq!(codes(limited(weights), [0; 3]), [16 * scale, middle, middle]);
            assert_eq!(codes(limited(weights), [0, 0, max])[1], 240 * scale);
            assert_eq!(codes(limited(weights), [max, 0, 0])[2], 240 * scale);
            assert_eq!(codes(limited(weights), [max, max, 0])[1], 16 * scale);
            assert_eq!(codes(limited(weights), [0, max, max])[2], 16 * scale);

            assert_eq!(codes(full(weights), [max; 3]), [max, middle, middle]);
            assert_eq!(codes(full(weights), [0; 3]), [0, middle, middle]);
            // Half of an odd number of codes, rounded away from the middle and clipped.
            assert_eq!(codes(full(weights), [0, 0, max])[1], max);
            assert_eq!(codes(full(weights), [max, 0, 0])[2], max);
            assert_eq!(codes(full(weights), [max, max, 0])[1], 0);
            assert_eq!(codes(full(weights), [0, max, max])[2], 0);

            assert_eq!(to_rgb(limited(weights), bits, [235 * scale, middle, middle]), [max; 3]);
            assert_eq!(to_rgb(limited(weights), bits, [16 * scale, middle, middle]), [0; 3]);
            assert_eq!(to_rgb(limited(weights), bits, [0, middle, middle]), [0; 3]);
            assert_eq!(to_rgb(limited(weights), bits, [max, middle, middle]), [max; 3]);
        }
    }
}

/// An exact fraction, its denominator positive.
#[derive(Clone, Copy, Debug)]
struct Fraction(i128, i128);

impl Fraction {
    fn plus(self, other: Self) -> Self {
        Self(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }

    fn times(self, numerator: u32) -> Self {
        Self(self.0 * i128::from(numerator), self.1)
    }

    /// Whether `code` is the nearest to this, clipped, but for 2^(bits − 28) of a code.
    fn is_nearest(self, code: u32, bits: u32) -> bool {
        let clipped = self.0.clamp(0, self.1 * i128::from(max_code(bits)));
        let error = (i128::from(code) * self.1 - clipped).abs();
        error << 28 <= (self.1 << 27) + (self.1 << bits)
    }
}

/// K_R, K_G and K_B in ten-thousandths.
fn weights(variant: Variant) -> [i128; 3] {
    let (red, blue) = (i128::from(variant.weights.red), i128::from(variant.weights.blue));
    [red, 10_000 - red - blue, blue]
}

/// H.273, equations of section 8.3 for `MatrixCoefficients` and `VideoFullRangeFlag`, without their rounding.
fn exact_from_rgb(variant: Variant, bits: u32, rgb: [u32; 3]) -> [Fraction; 3] {
    let [k_r, k_g, k_b] = weights(variant);
    let max = i128::from(max_code(bits));
    let [r, g, b] = rgb.map(i128::from);
    // E'Y in units of 1 / (10000 · max), then E'PB and E'PR.
    let luma = k_r * r + k_g * g + k_b * b;
    let y = Fraction(luma, 10_000 * max);
    let pb = Fraction(10_000 * b - luma, 2 * (10_000 - k_b) * max);
    let pr = Fraction(10_000 * r - luma, 2 * (10_000 - k_r) * max);
    let scale = 1 << (bits - 8);
    let (zero, luma, chroma) = match variant.range {
        Range::Limited => (16 * scale, 219 * scale, 224 * scale),
        Range::Full => (0, max_code(bits), max_code(bits)),
    };
    let middle = Fraction((128 * scale).into(), 1);
    [
        y.times(luma).plus(Fraction(zero.into(), 1)),
        pb.times(chroma).plus(middle),
        pr.times(chroma).plus(middle),
    ]
}

/// The inverse of the same equations.
fn exact_to_rgb(variant: Variant, bits: u32, ycbcr: [u32; 3]) -> [Fraction; 3] {
    let [k_r, k_g, k_b] = weights(variant);
    let [y, cb, cr] = ycbcr.map(i128::from);
    let (cb, cr) = (cb - (1 << (bits - 1)), cr - (1 << (bits - 1)));
    let scale = 1 << (bits - 8);
    let (y, chroma_span) = match variant.range {
        Range::Limited => (Fraction(y - 16 * scale, 219 * scale), 224 * scale),
        Range::Full => (Fraction(y, max_code(bits).into()), max_code(bits).into()),
    };
    let green = -2 * k_b * (10_000 - k_b) * cb - 2 * k_r * (10_000 - k_r) * cr;
    [
        y.plus(Fraction(2 * (10_000 - k_r) * cr, 10_000 * chroma_span)),
        y.plus(Fraction(green, 10_000 * k_g * chroma_span)),
        y.plus(Fraction(2 * (10_000 - k_b) * cb, 10_000 * chroma_span)),
    ]
    .map(|colour| colour.times(max_code(bits)))
}

fn are_nearest(codes: [u32; 3], exact: [Fraction; 3], bits: u32) -> bool {
    codes
        .into_iter()
        .zip(exact)
        .all(|(code, exact)| exact.is_nearest(code, bits))
}

/// Triples that take each value in each place, and meet many values of the others.
fn codes_of(bits: u32) -> impl Iterator<Item = [u32; 3]> {
    let codes = 1u32 << bits;
    let steps: u32 = if bits == 8 { 64 } else { 8 };
    (0..codes).flat_map(move |code| {
        (0..steps).map(move |step| {
            let turned = |factor: u32| code.wrapping_mul(factor).wrapping_add(step * (codes / steps)) % codes;
            [code, turned(5), turned(11)]
        })
    })
}

#[test]
fn up_to_12_bits_every_code_is_the_nearest_to_the_exact_value() {
    for variant in VARIANTS {
        for bits in [8, 10, 12] {
            for codes in codes_of(bits) {
                let (ycbcr, rgb) = (from_rgb(variant, bits, codes), to_rgb(variant, bits, codes));
                let exact = (exact_from_rgb(variant, bits, codes), exact_to_rgb(variant, bits, codes));
                assert!(
                    are_nearest(ycbcr, exact.0, bits),
                    "{variant:?} {bits} {codes:?}: {ycbcr:?}"
                );
                assert!(are_nearest(rgb, exact.1, bits), "{variant:?} {bits} {codes:?}: {rgb:?}");
            }
        }
    }
}

proptest! {
    #[test]
    fn codes_of_16_bits_are_the_nearest_to_the_exact_value(codes: [u16; 3], variant in prop::sample::select(&VARIANTS[..])) {
        let codes = codes.map(u32::from);
        prop_assert!(are_nearest(from_rgb(variant, 16, codes), exact_from_rgb(variant, 16, codes), 16));
        prop_assert!(are_nearest(to_rgb(variant, 16, codes), exact_to_rgb(variant, 16, codes), 16));
    }

    #[test]
    fn full_range_codes_return_within_one(codes: [u16; 3], bits in prop::sample::select(&DEPTHS[..]), weights in prop::sample::select(&[BT601, BT709, BT2020][..])) {
        let rgb = codes.map(|code| u32::from(code) & max_code(bits));
        let back = to_rgb(full(weights), bits, from_rgb(full(weights), bits, rgb));
        // Half a code of luma, half a code of chroma times at most 1.8814, and the rounding of the result: below 1.95 codes.
        for (before, after) in rgb.into_iter().zip(back) {
            prop_assert!(before.abs_diff(after) <= 1, "{:?} became {:?}", rgb, back);
        }
    }
}

/// A clip of one frame, each plane a list of rows.
fn input(layout: Layout, planes: [&[&[u8]]; 3]) -> Input {
    let (width, height) = (planes[0][0].len() as u32, planes[0].len() as u32);
    let shape = ClipShape::tight(Format::new(layout, Depth::U8), width, height);
    let plane = |index: usize| Plane::new(shape.planes[index], Depth::U8, planes[index].concat()).unwrap();
    let frame = Frame {
        planes: [0, 1, 2].map(plane).into(),
    };
    Input::new(vec![Clip::new(shape.clone(), vec![frame]).unwrap()]).unwrap()
}

fn codes(outputs: &[Output], metric: &str, plane: usize) -> Vec<u32> {
    let found = outputs.iter().find(|o| o.metric == metric && o.plane == plane);
    match &found.unwrap().values {
        Values::U32(codes) => codes.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn chroma_is_interpolated_where_it_is_sited() {
    let ramp: &[u8] = &[100, 116, 132];
    let row = |plane: &[&[u8]], layout: Layout, width, y| {
        let grey: &[u8] = &vec![128; width as usize];
        let rows = vec![
            grey;
            if layout == Layout::Yuv420 {
                plane.len() * 2
            } else {
                plane.len()
            }
        ];
        let input = input(layout, [&rows, plane, plane]);
        ycbcr_to_rgb::upsampled(input.plane(0, 0, 1), layout.subsampling(1), width, y)
    };
    // In eighths: on every other luma sample, repeated beyond the last.
    let expected = [100, 108, 116, 124, 132, 132].map(|code| 8 * code);
    assert_eq!(row(&[ramp], Layout::Yuv422, 6, 0), expected);
    assert_eq!(row(&[ramp], Layout::Yuv422, 5, 0), expected[..5]);
    assert_eq!(
        row(&[ramp], Layout::Yuv444, 3, 0),
        ramp.iter().map(|&code| 8 * u32::from(code)).collect::<Vec<_>>()
    );
    // Vertically a quarter of the way to the nearer neighbour, repeated beyond the first and the last.
    let rows: [&[u8]; 2] = [&[100], &[140]];
    let column: Vec<u32> = (0..4).flat_map(|y| row(&rows, Layout::Yuv420, 1, y)).collect();
    assert_eq!(column, [100, 110, 130, 140].map(|code| 8 * code));
}

#[test]
fn chroma_is_filtered_where_it_is_sited() {
    let plane: &[&[u8]] = &[&[10, 20, 40, 80, 160], &[0, 0, 0, 0, 0], &[8, 8, 8, 8, 8]];
    let input = input(Layout::Rgb, [plane; 3]);
    let row = |subsampling, y| rgb_to_ycbcr::downsampled(input.plane(0, 0, 0), Filter::new(subsampling), y);
    assert_eq!(row((1, 1), 0), [80, 160, 320, 640, 1280]);
    // (1, 2, 1) / 4, in eighths.
    assert_eq!(
        row((2, 1), 0),
        [2 * (10 + 20 + 20), 2 * (20 + 80 + 80), 2 * (80 + 320 + 160)]
    );
    assert_eq!(row((2, 2), 0), [10 + 20 + 20, 20 + 80 + 80, 80 + 320 + 160]);
    // The last row stands for itself alone.
    assert_eq!(row((2, 2), 1), [64; 3]);
}

fn kernels() -> impl Iterator<Item = (&'static Kernel, Variant)> {
    let kernel = |kernel: &'static Kernel| {
        let name = kernel.name;
        let weights = [("_601_", BT601), ("_709_", BT709), ("_2020_", BT2020)];
        let (_, weights) = weights.into_iter().find(|(word, _)| name.contains(word))?;
        let range = if name.ends_with("_full") {
            Range::Full
        } else {
            Range::Limited
        };
        Some((kernel, Variant { weights, range }))
    };
    colour::KERNELS.iter().filter_map(kernel)
}

#[test]
fn a_kernel_computes_what_its_name_says() {
    let picture: [&[&[u8]]; 3] = [&[&[200, 30, 90]], &[&[40, 160, 255]], &[&[120, 9, 70]]];
    let pixel = |x: usize| [0, 1, 2].map(|plane| u32::from(picture[plane][0][x]));
    let mut seen = 0;
    for (kernel, variant) in kernels() {
        let forward = kernel.name.starts_with("rgb");
        let layout = if forward { Layout::Rgb } else { Layout::Yuv444 };
        let outputs = kernel.compute(&input(layout, picture)).unwrap();
        for x in 0..3 {
            let (metrics, exact) = if forward {
                (
                    ["luma", "chroma_444", "chroma_444"],
                    exact_from_rgb(variant, 8, pixel(x)),
                )
            } else {
                (["rgb"; 3], exact_to_rgb(variant, 8, pixel(x)))
            };
            let actual = [0, 1, 2].map(|plane| codes(&outputs, metrics[plane], plane)[x]);
            assert!(are_nearest(actual, exact, 8), "{}: {actual:?}", kernel.name);
        }
        seen += 1;
    }
    assert_eq!(seen, 12);
}

#[test]
fn grey_has_no_chroma_in_any_subsampling() {
    let grey: &[&[u8]] = &[&[0, 255, 3], &[90, 7, 200], &[1, 2, 254]];
    for (kernel, _) in kernels().filter(|(kernel, _)| kernel.name.starts_with("rgb")) {
        let outputs = kernel.compute(&input(Layout::Rgb, [grey; 3])).unwrap();
        for (metric, samples) in [("chroma_444", 9), ("chroma_422", 6), ("chroma_420", 4)] {
            for plane in [1, 2] {
                assert_eq!(
                    codes(&outputs, metric, plane),
                    vec![128; samples],
                    "{} {metric}",
                    kernel.name
                );
            }
        }
    }
}
