//! The specification of `psnr_hvs`, after `libvmaf/src/feature/third_party/xiph/psnr_hvs.c`.
//!
//! Blocks of 8×8 samples, seven apart in both directions, go through an integer DCT. The error of a coefficient counts as
//! far as it exceeds what the texture of the busier of both blocks hides, weighted by the sensitivity of the eye (Ponomarenko
//! et al., "On between-coefficient contrast masking of DCT basis functions", VPQM 2007). Samples beyond the last whole block
//! are not looked at.
//!
//! # Arithmetic
//!
//! The transform is in `i32`: the greatest of its products is 380 million at 12 bits. At 16 bits it would be 16 times that,
//! which is why the kernel is not defined there. All else is f32, one rounding an operation, in the order written here:
//!
//! * Sums of codes stay below 2^24 and are divided by powers of two: means are exact.
//! * Squared deviations, of a block and of its quarters, are summed sample by sample, energies and errors coefficient by coefficient.
//! * The square of a coefficient, an integer below 2^29, is rounded to f32 before it is weighted.
//! * The square root, taken in f64 by libvmaf and then rounded to f32, is the f32 root: for a root, 53 bits on the way to 24
//!   never make a difference.
//! * The errors of a plane are one running sum over all blocks. A term less than 2^−24 of the sum no longer changes it: this
//!   is libvmaf's result, and so this kernel's.
//! * No operand and no result is subnormal. A deviation is zero or at least 1/64 and below 2^16, so that a contrast is zero
//!   or above 2^−52; the excess of an error over a threshold is zero or at least 2^−24 of the error, which is at least 1.
//!
//! A code beyond its depth, for which upstream's integers would overflow, wraps around, in the twin too.
//!
//! libvmaf counts coefficients in an `int`, which holds those of 33,554,431 blocks: the kernel refuses planes of more, and
//! planes without a single block, for which upstream divides zero by zero. The decibels end in a base-10 logarithm, the one
//! operation that IEEE 754 does not define: it is `libm::log10`, the same code on every platform. Equal planes score +∞.

use isobit::format::Depth;
use isobit::frame::{Input, Plane, PlaneShape};
use isobit::kernel::KernelError;
use isobit::output::Output;

use super::weights::{WEIGHTS, Weights};

/// Names of the scores of Y, Cb and Cr, in dB.
pub(super) const PLANES: [&str; 3] = ["psnr_hvs_y", "psnr_hvs_cb", "psnr_hvs_cr"];
/// Name of the score of all three planes, in dB.
pub(super) const COMBINED: &str = "psnr_hvs";

/// Samples along a side of a block.
const SIDE: u32 = 8;
/// Samples from a block to the next, in both directions.
const STEP: u32 = 7;

/// The samples of a block, row by row, or its coefficients, vertical frequency by vertical frequency.
pub(super) type Block = [i32; 64];

pub(super) fn reference(input: &Input) -> Result<Vec<Output>, KernelError> {
    let shape = input.shape();
    let mut outputs = Vec::new();
    for frame in 0..input.frames() {
        let mut errors = [0.0; 3];
        for (plane, error) in errors.iter_mut().enumerate() {
            let blocks = Blocks::new(&shape.planes[plane])?;
            let [reference, distorted] = [0, 1].map(|clip| Codes::new(input.plane(clip, frame, plane)));
            let weights = &WEIGHTS[plane];
            let mut sum = 0.0;
            for number in 0..blocks.count() {
                let r = Analysis::new(&reference.block(blocks, number), weights);
                let d = Analysis::new(&distorted.block(blocks, number), weights);
                sum = running_sum(sum, &terms(&r, &d, weights));
            }
            *error = mean(sum, blocks, shape.format.depth);
        }
        outputs.extend(scores(frame, errors));
    }
    Ok(outputs)
}

/// Where the blocks of a plane lie; they are numbered row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Blocks {
    /// Blocks beside each other.
    pub across: u32,
    /// Blocks below each other.
    pub down: u32,
}

impl Blocks {
    /// The blocks of a plane.
    ///
    /// # Errors
    /// If [`Blocks::refuses`] has a reason against it.
    pub fn new(plane: &PlaneShape) -> Result<Self, KernelError> {
        Self::refuses(plane).map_or_else(
            || Ok(Self::within(plane)),
            |reason| {
                Err(KernelError::Unsupported {
                    kernel: super::KERNEL.name,
                    reason,
                })
            },
        )
    }

    /// Why a plane has no blocks, or too many.
    pub fn refuses(plane: &PlaneShape) -> Option<String> {
        let (width, height) = (plane.width, plane.height);
        if width < SIDE || height < SIDE {
            return Some(format!("a plane of {width}x{height} samples holds no block of 8x8"));
        }
        let count = Self::within(plane).count();
        (count > i32::MAX as u64 / 64)
            .then(|| format!("{width}x{height} samples are {count} blocks, more than the 33554431 that can be counted"))
    }

    const fn within(plane: &PlaneShape) -> Self {
        Self {
            across: (plane.width - SIDE) / STEP + 1,
            down: (plane.height - SIDE) / STEP + 1,
        }
    }

    /// How many they are.
    pub const fn count(self) -> u64 {
        self.across as u64 * self.down as u64
    }
}

/// The codes of a plane, without padding.
pub(super) struct Codes {
    width: usize,
    codes: Vec<u16>,
}

impl Codes {
    pub fn new(plane: &Plane) -> Self {
        let shape = plane.shape();
        let mut codes = Vec::with_capacity(shape.samples() as usize);
        for y in 0..shape.height {
            codes.extend(plane.codes(y).map(|code| code as u16));
        }
        Self {
            width: shape.width as usize,
            codes,
        }
    }

    /// The samples of block `number`.
    pub fn block(&self, blocks: Blocks, number: u64) -> Block {
        let (down, across) = (number / u64::from(blocks.across), number % u64::from(blocks.across));
        let corner = (down * u64::from(STEP)) as usize * self.width + (across * u64::from(STEP)) as usize;
        let mut block = [0; 64];
        for (y, row) in block.chunks_exact_mut(8).enumerate() {
            for (sample, &code) in row.iter_mut().zip(&self.codes[corner + y * self.width..][..8]) {
                *sample = i32::from(code);
            }
        }
        block
    }
}

/// What is known of a block of one clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Analysis {
    /// Its coefficients.
    pub coefficients: Block,
    /// What its texture hides: an error up to this, divided by the weight of its coefficient.
    pub masking: f32,
}

impl Analysis {
    pub fn new(block: &Block, weights: &Weights) -> Self {
        let coefficients = dct8x8(block);
        let masking = masking(&coefficients, contrast(block), weights);
        Self { coefficients, masking }
    }
}

/// The DCT of a block, of columns first.
fn dct8x8(block: &Block) -> Block {
    let mut columns = [0; 64];
    for column in 0..8 {
        let samples = [0, 1, 2, 3, 4, 5, 6, 7].map(|row| block[8 * row + column]);
        columns[8 * column..][..8].copy_from_slice(&dct8(samples));
    }
    let mut coefficients = [0; 64];
    for row in 0..8 {
        let samples = [0, 1, 2, 3, 4, 5, 6, 7].map(|column| columns[8 * column + row]);
        coefficients[8 * row..][..8].copy_from_slice(&dct8(samples));
    }
    coefficients
}

/// The orthonormal type-II DCT of eight integers, rounded, by lifting: each step adds to a number a rounded multiple of another.
#[inline]
const fn dct8(x: [i32; 8]) -> [i32; 8] {
    // Halved sums and differences of what lies opposite.
    let difference0 = x[0] - x[7];
    let half0 = half(difference0);
    let sum0 = x[0] - half0;
    let sum1 = x[1] + x[6];
    let half1 = half(sum1);
    let difference1 = x[6] - half1;
    let difference2 = x[2] - x[5];
    let sum2 = x[2] - half(difference2);
    let sum3 = x[3] + x[4];
    let half3 = half(sum3);
    let difference3 = half3 - x[4];

    // The even coefficients: a rotation by π/4, and one by 3π/8.
    let mut y0 = sum0 + half3;
    let mut y6 = y0 - sum3;
    let mut y2 = half1 - sum2;
    let mut y4 = y2 - sum1;
    y0 -= multiple(y4, 13_573, 15);
    y4 += multiple(y0, 11_585, 14);
    y0 -= multiple(y4, 13_573, 15);
    y6 -= multiple(y2, 21_895, 15);
    y2 += multiple(y6, 15_137, 14);
    y6 -= multiple(y2, 21_895, 15);

    // The odd ones: a rotation by π/4, sums and differences, and rotations by π/16 and 3π/16.
    let mut y3 = difference2 + multiple(difference1, 19_195, 15);
    let mut y5 = difference1 + multiple(y3, 11_585, 14);
    y3 -= multiple(y5, 7_489, 13);
    let mut y7 = half(y5) - difference3;
    y5 -= y7;
    y3 = half0 - y3;
    let mut y1 = difference0 - y3;
    y7 += multiple(y1, 3_227, 15);
    y1 -= multiple(y7, 6_393, 15);
    y7 += multiple(y1, 3_227, 15);
    y5 += multiple(y3, 2_485, 13);
    y3 -= multiple(y5, 18_205, 15);
    y5 += multiple(y3, 2_485, 13);
    [y0, y1, y2, y3, y4, y5, y6, y7]
}

/// `a / 2`, rounded towards zero.
const fn half(a: i32) -> i32 {
    (a + (a < 0) as i32) >> 1
}

/// `a · factor / 2^bits`, rounded to the nearest, upwards from the middle.
const fn multiple(a: i32, factor: i32, bits: u32) -> i32 {
    a.wrapping_mul(factor).wrapping_add(1 << (bits - 1)) >> bits
}

/// The variances of the quarters of a block, relative to that of the whole: small where there is an edge.
fn contrast(block: &Block) -> f32 {
    // By column of quarters, then by row of quarters.
    let mut totals = [[0; 2]; 2];
    for (row, codes) in block.chunks_exact(8).enumerate() {
        for (column, code) in codes.iter().enumerate() {
            totals[column / 4][row / 4] += code;
        }
    }
    let mean = totals.as_flattened().iter().sum::<i32>() as f32 / 64.0;
    let means = totals.map(|column| column.map(|total| total as f32 / 16.0));

    let mut whole = 0.0;
    let mut quarters = [[0.0; 2]; 2];
    for (below, rows) in block.chunks_exact(32).enumerate() {
        let [mut left, mut right] = [0.0; 2];
        for row in rows.chunks_exact(8) {
            for (column, &code) in row.iter().enumerate() {
                let difference = code as f32 - mean;
                whole += difference * difference;
                let difference = code as f32 - means[column / 4][below];
                let quarter = if column < 4 { &mut left } else { &mut right };
                *quarter += difference * difference;
            }
        }
        [quarters[0][below], quarters[1][below]] = [left, right];
    }
    whole *= 64.0 / 63.0;
    if whole > 0.0 {
        let variances = quarters.as_flattened().iter().map(|quarter| quarter * (16.0 / 15.0));
        variances.fold(0.0, |sum, variance| sum + variance) / whole
    } else {
        0.0
    }
}

/// What a block hides that has these coefficients and this contrast.
fn masking(coefficients: &Block, contrast: f32, weights: &Weights) -> f32 {
    let mut energy = 0.0;
    for (coefficient, weight) in coefficients.iter().zip(weights.masking).skip(1) {
        energy += coefficient.wrapping_mul(*coefficient) as u32 as f32 * weight;
    }
    (energy * contrast).sqrt() / 32.0
}

/// The squared visible error of each coefficient.
pub(super) fn terms(reference: &Analysis, distorted: &Analysis, weights: &Weights) -> [f32; 64] {
    let masking = if distorted.masking > reference.masking {
        distorted.masking
    } else {
        reference.masking
    };
    let mut terms = [0.0; 64];
    for (index, term) in terms.iter_mut().enumerate() {
        let difference = reference.coefficients[index].wrapping_sub(distorted.coefficients[index]);
        let mut error = difference.unsigned_abs() as f32;
        let threshold = masking / weights.masking[index];
        // No texture hides an error of the mean.
        if index != 0 {
            error = if error < threshold { 0.0 } else { error - threshold };
        }
        let weighted = error * weights.sensitivity[index];
        *term = weighted * weighted;
    }
    terms
}

/// `sum` and then the terms of the next blocks, one by one.
pub(super) fn running_sum(sum: f32, terms: &[f32]) -> f32 {
    terms.iter().fold(sum, |sum, term| sum + term)
}

/// The mean error of a coefficient, relative to the square of the greatest code, from the sum of a plane.
pub(super) fn mean(sum: f32, blocks: Blocks, depth: Depth) -> f32 {
    let greatest = (1u32 << depth.bits()) - 1;
    sum / (blocks.count() * 64) as f32 / (greatest * greatest) as f32
}

/// All scores of a frame from the mean errors of its planes.
pub(super) fn scores(frame: usize, errors: [f32; 3]) -> [Output; 4] {
    let [y, cb, cr] = errors.map(f64::from);
    let score = |name, error: f64| Output::score(name, frame, -10.0 * libm::log10(error));
    [
        score(PLANES[0], y),
        score(PLANES[1], cb),
        score(PLANES[2], cr),
        score(COMBINED, y * 0.8 + 0.1 * (cb + cr)),
    ]
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use isobit::format::{Format, Layout};
    use isobit::frame::{Clip, ClipShape, Frame};
    use proptest::prelude::*;

    use super::*;

    /// The orthonormal type-II DCT of a block by its definition.
    fn dct_by_definition(block: &Block) -> [f64; 64] {
        let basis = |frequency: usize, sample: usize| {
            let scale = if frequency == 0 { 0.125_f64.sqrt() } else { 0.5 };
            scale * (PI * (2 * sample + 1) as f64 * frequency as f64 / 16.0).cos()
        };
        std::array::from_fn(|index| {
            let sample = |at: usize| f64::from(block[at]) * basis(index / 8, at / 8) * basis(index % 8, at % 8);
            (0..64).map(sample).sum()
        })
    }

    proptest! {
        #[test]
        fn the_integer_dct_is_a_dct(block in prop::array::uniform32(0..4096), other in prop::array::uniform32(0..4096)) {
            let block: Block = std::array::from_fn(|at| if at < 32 { block[at] } else { other[at - 32] });
            for (at, (integer, exact)) in dct8x8(&block).into_iter().zip(dct_by_definition(&block)).enumerate() {
                prop_assert!((f64::from(integer) - exact).abs() < 8.0, "{at}: {integer} for {exact}");
            }
        }
    }

    #[test]
    fn halves_are_cut_and_multiples_are_rounded() {
        assert_eq!([-3, -2, -1, 0, 1, 2, 3].map(half), [-1, -1, 0, 0, 0, 1, 1]);
        assert_eq!(
            [-3, -2, -1, 0, 1, 2, 3].map(|a| multiple(a, 1, 1)),
            [-1, -1, 0, 0, 1, 1, 2]
        );
        assert_eq!(multiple(-1000, 13_573, 15), -414);
    }

    #[test]
    fn contrast_is_that_of_the_quarters_over_that_of_the_whole() {
        let block = |code: fn(usize, usize) -> i32| -> Block { std::array::from_fn(|at| code(at / 8, at % 8)) };
        assert_eq!(contrast(&block(|_, _| 77)), 0.0);
        assert_eq!(contrast(&block(|_, x| if x < 4 { 0 } else { 255 })), 0.0);
        // Four times 16/15 · 16 over 64/63 · 64.
        let board = contrast(&block(|y, x| 255 * ((x + y) % 2) as i32));
        assert!((board - 1.05).abs() < 1e-6, "{board}");
        // A single sample of the quarter above right, off by 16: deviations of 16² · 15/16 and of 16² · 63/64.
        let spot = contrast(&block(|y, x| if (y, x) == (3, 4) { 116 } else { 100 }));
        assert_eq!(spot, (240.0_f32 * (16.0 / 15.0)) / (252.0 * (64.0 / 63.0)));
    }

    #[test]
    fn texture_hides_errors_up_to_a_threshold_but_not_those_of_the_mean() {
        let weights = &WEIGHTS[0];
        let mut coefficients = [0; 64];
        coefficients[9] = 640;
        let hidden = masking(&coefficients, 0.25, weights);
        assert_eq!(hidden, (409_600.0 * weights.masking[9] * 0.25).sqrt() / 32.0);
        let textured = Analysis {
            coefficients,
            masking: hidden,
        };
        let flat = Analysis {
            coefficients: [0; 64],
            masking: 0.0,
        };
        // With the root m of the weight, 640 · m · √0.25 / 32 over m².
        let threshold = hidden / weights.masking[9];
        let expected = 10.0 / (1.943_218_153_82 * 0.388_574_622_590_100_3);
        assert!((f64::from(threshold) - expected).abs() < 1e-5, "{threshold}");
        let mut expected = [0.0; 64];
        let weighted = (640.0 - threshold) * weights.sensitivity[9];
        expected[9] = weighted * weighted;
        assert_eq!(terms(&textured, &flat, weights), expected);
        assert_eq!(terms(&flat, &textured, weights), expected);

        let mut close = textured;
        close.coefficients[0] = 1;
        close.coefficients[9] = 653;
        let mean = weights.sensitivity[0] * weights.sensitivity[0];
        assert_eq!(
            terms(&textured, &close, weights)[..10],
            [[mean].as_slice(), &[0.0; 9]].concat()
        );
    }

    #[test]
    fn blocks_are_seven_samples_apart_and_whole() {
        let of = |width, height| PlaneShape::tight(width, height, Depth::U8);
        let blocks = |width, height| {
            Blocks::new(&of(width, height))
                .map(|blocks| (blocks.across, blocks.down))
                .unwrap()
        };
        assert_eq!([blocks(8, 14), blocks(15, 21), blocks(22, 8)], [(1, 1), (2, 2), (3, 1)]);
        let refused = Blocks::refuses(&of(8, 7)).unwrap();
        assert_eq!(refused, "a plane of 8x7 samples holds no block of 8x8");
        assert_eq!(Blocks::refuses(&of(7 * 5_792 + 1, 7 * 5_792 + 1)), None);
        let refused = Blocks::refuses(&of(7 * 5_793 + 1, 7 * 5_793 + 1)).unwrap();
        assert_eq!(
            refused,
            "40552x40552 samples are 33558849 blocks, more than the 33554431 that can be counted"
        );
        let codes = Codes {
            width: 15,
            codes: (0..15 * 15).collect(),
        };
        let last = codes.block(Blocks { across: 2, down: 2 }, 3);
        assert_eq!(
            [last[0], last[7], last[8], last[63]],
            [7 * 15 + 7, 7 * 15 + 14, 8 * 15 + 7, 224]
        );
    }

    #[test]
    fn flat_planes_have_an_error_of_the_mean_alone() {
        let format = Format::new(Layout::Yuv444, Depth::U8);
        let shape = ClipShape::tight(format, 16, 9);
        let clip = |codes: [u8; 3]| {
            let planes = codes.map(|code| Plane::new(shape.planes[0], Depth::U8, vec![code; 16 * 9]).unwrap());
            Clip::new(shape.clone(), vec![Frame { planes: planes.into() }]).unwrap()
        };
        let input = Input::new(vec![clip([100, 100, 7]), clip([110, 100, 7])]).unwrap();
        let outputs = reference(&input).unwrap();
        let score = |index: usize| outputs[index].values.get(0).as_f64();
        // Ten codes are 80 in the first coefficient, one of 64.
        let expected = 10.0 * (255.0_f64.powi(2) * 64.0 / (80.0 * 1.619_387_3_f64).powi(2)).log10();
        assert!((score(0) - expected).abs() < 1e-6, "{} for {expected}", score(0));
        assert_eq!([score(1), score(2)], [f64::INFINITY; 2]);
        assert!((score(3) - score(0) - 10.0 * 1.25_f64.log10()).abs() < 1e-12);
    }

    #[test]
    fn a_running_sum_takes_terms_one_by_one() {
        assert_eq!(running_sum(16_777_216.0, &[1.0; 64]), 16_777_216.0);
        assert_eq!(running_sum(0.0, &[16_777_216.0, 1.0, -16_777_216.0]), 0.0);
    }
}
