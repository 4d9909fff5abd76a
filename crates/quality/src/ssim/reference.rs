//! The specification of `ssim`, after `libvmaf/src/feature/integer_ssim.c`, which is Xiph's `dump_ssim`.
//!
//! Around each sample, a Gaussian window of 9 by 9 taps weighs the moments of both planes: the means, the mean squares and the
//! mean product. The taps are whole numbers of 1/256, and the moments integers. A tap beyond the border of the plane is left
//! out, and the weights of those left over are remembered, so any size has a score, a single sample too. Each sample's term is
//! formed in f64 from its moments, weighed by its weight, and added to an f64 row by row; the score is that sum over the sum
//! of all weights.
//!
//! How large the integers become, with taps that add up to 256 in each direction and codes below 2^16: a weight is at most
//! 2^16, a first moment below 2^32, a second one below 2^48. None depends on the size of the plane. The weights add up to less
//! than 2^53, where f64 holds them exactly, up to 2^37 samples, far more than can be addressed.
//!
//! libvmaf squares and weighs codes in 32-bit signed integers, which 16-bit codes overflow; C leaves open what happens then.
//! Here every integer has its exact value, at 16 bits as well. libvmaf has no options here and does not register the feature, so
//! the golden scores are what `integer_ssim.c` compiled by itself prints: at 8, 10 and 12 bits the scores are its to the last
//! bit. At all depths the tests compare with the textbook's definition in f64.

use std::collections::VecDeque;

use isobit::format::Depth;
use isobit::frame::{Input, Plane, PlaneShape};
use isobit::kernel::KernelError;
use isobit::output::Output;

/// Name of the structural similarity of the luma.
pub(super) const SSIM: &str = "ssim";
/// The window in one direction, in 1/256: a Gaussian with a standard deviation of 1.5 samples, cut off where it falls below
/// half of 1/256, its centre what the others leave.
pub(super) const TAPS: [u32; 9] = [2, 9, 28, 55, 68, 55, 28, 9, 2];
/// Taps on each side of the centre.
pub(super) const RADIUS: usize = TAPS.len() / 2;

pub(super) fn reference(input: &Input) -> Result<Vec<Output>, KernelError> {
    let score = |frame| {
        let (reference, distorted) = (input.plane(0, frame, 0), input.plane(1, frame, 0));
        let terms = terms(reference, distorted, input.shape().format.depth);
        score(frame, terms, &reference.shape())
    };
    Ok((0..input.frames()).map(score).collect())
}

/// Weighted sums over a window, or over its part in one row: of 1, of the codes, of their squares and of their product.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Moments {
    pub(super) weight: u32,
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) xx: u64,
    pub(super) xy: u64,
    pub(super) yy: u64,
}

impl Moments {
    /// Those of a single pair of codes.
    fn of(x: u32, y: u32) -> Self {
        let product = |a, b| u64::from(a) * u64::from(b);
        Self {
            weight: 1,
            x,
            y,
            xx: product(x, x),
            xy: product(x, y),
            yy: product(y, y),
        }
    }

    fn add(&mut self, tap: u32, other: &Self) {
        self.weight += tap * other.weight;
        self.x += tap * other.x;
        self.y += tap * other.y;
        self.xx += u64::from(tap) * other.xx;
        self.xy += u64::from(tap) * other.xy;
        self.yy += u64::from(tap) * other.yy;
    }
}

/// The taps around `centre` that fall on one of `length` places, each with its place.
fn taps(centre: usize, length: usize) -> impl Iterator<Item = (u32, usize)> {
    let first = RADIUS.saturating_sub(centre);
    let end = TAPS.len().min(length + RADIUS - centre);
    (first..end).map(move |k| (TAPS[k], centre + k - RADIUS))
}

/// The term of every sample, row by row: its similarity times its weight.
pub(super) fn terms(reference: &Plane, distorted: &Plane, depth: Depth) -> Vec<f64> {
    let stabilisers = stabilisers(depth);
    let mut terms = Vec::with_capacity(reference.shape().samples() as usize);
    each_row(reference, distorted, |row| {
        terms.extend(row.iter().map(|window| term(window, stabilisers)))
    });
    terms
}

/// Hands the moments of all windows to `take`, row by row.
pub(super) fn each_row(reference: &Plane, distorted: &Plane, mut take: impl FnMut(&[Moments])) {
    let PlaneShape { width, height, .. } = reference.shape();
    let (width, height) = (width as usize, height as usize);
    // The moments of those rows that the window covers, of which the first is row `top`.
    let mut rows: VecDeque<Vec<Moments>> = VecDeque::with_capacity(TAPS.len() + 1);
    let mut top = 0;
    for y in 0..height {
        for below in top + rows.len()..height.min(y + RADIUS + 1) {
            rows.push_back(row_moments(reference, distorted, below as u32));
        }
        if y > top + RADIUS {
            rows.pop_front();
            top += 1;
        }
        let mut windows = vec![Moments::default(); width];
        for (tap, row) in taps(y, height) {
            for (window, moments) in windows.iter_mut().zip(&rows[row - top]) {
                window.add(tap, moments);
            }
        }
        take(&windows);
    }
}

/// The moments of the part of each sample's window that lies in its own row `y`.
pub(super) fn row_moments(reference: &Plane, distorted: &Plane, y: u32) -> Vec<Moments> {
    let pairs = reference.codes(y).zip(distorted.codes(y));
    let samples: Vec<_> = pairs.map(|(r, d)| Moments::of(r, d)).collect();
    let around = |x| {
        let mut moments = Moments::default();
        for (tap, column) in taps(x, samples.len()) {
            moments.add(tap, &samples[column]);
        }
        moments
    };
    (0..samples.len()).map(around).collect()
}

/// What keeps the quotients of luminance and of contrast from a division by zero, for codes of `depth`: 0.01² and 0.03² of
/// the peak's square.
pub(super) fn stabilisers(depth: Depth) -> [f64; 2] {
    let peak = f64::from((1u32 << depth.bits()) - 1);
    [peak * peak * (0.01 * 0.01), peak * peak * (0.03 * 0.03)]
}

/// The stabilisers times the square of a weight.
pub(super) fn weighed(stabilisers: [f64; 2], weight: u32) -> [f64; 2] {
    let w = f64::from(weight);
    stabilisers.map(|c| c * w * w)
}

/// The similarity of a window times its weight. All sums carry a factor of the weight's square.
pub(super) fn term(moments: &Moments, stabilisers: [f64; 2]) -> f64 {
    let &Moments {
        weight,
        x,
        y,
        xx,
        xy,
        yy,
    } = moments;
    let w = f64::from(weight);
    let [c1, c2] = weighed(stabilisers, weight);
    let (x, y) = (f64::from(x), f64::from(y));
    let (mxx, mxy, myy) = (x * x, x * y, y * y);
    let (xx, xy, yy) = (xx as f64 * w, xy as f64 * w, yy as f64 * w);
    let similar = w * (2.0 * mxy + c1) * (c2 + 2.0 * (xy - mxy));
    similar / ((mxx + myy + c1) * (xx - mxx + yy - myy + c2))
}

/// The score of a frame from the terms of its luma plane, row by row.
pub(super) fn score(frame: usize, terms: impl IntoIterator<Item = f64>, luma: &PlaneShape) -> Output {
    let sum = terms.into_iter().fold(0.0, |sum, term| sum + term);
    Output::score(SSIM, frame, sum / total_weight(luma) as f64)
}

/// The sum of the weights of all samples.
fn total_weight(luma: &PlaneShape) -> u64 {
    let total = |length| weights(length).map(u64::from).sum::<u64>();
    total(luma.width) * total(luma.height)
}

/// The weight of the window around each of `length` places, in one direction.
pub(super) fn weights(length: u32) -> impl Iterator<Item = u32> {
    (0..length as usize).map(move |centre| taps(centre, length as usize).map(|(tap, _)| tap).sum())
}

#[cfg(test)]
mod tests {
    use isobit::format::{Format, Layout};
    use proptest::prelude::*;

    use super::*;

    fn plane(width: u32, depth: Depth, codes: &[u32]) -> Plane {
        let shape = PlaneShape::tight(width, codes.len() as u32 / width, depth);
        let bytes = codes
            .iter()
            .flat_map(|code| code.to_le_bytes().into_iter().take(depth.bytes()))
            .collect();
        Plane::new(shape, depth, bytes).unwrap()
    }

    fn ssim(width: u32, depth: Depth, x: &[u32], y: &[u32]) -> f64 {
        let (x, y) = (plane(width, depth, x), plane(width, depth, y));
        let terms = terms(&x, &y, depth);
        score(0, terms, &x.shape()).values.get(0).as_f64()
    }

    /// The definition of the textbook: means, variances and covariance of a window in two passes, all in f64, the window not
    /// separated; similarities averaged by the weight of their window.
    fn textbook(width: u32, depth: Depth, x: &[u32], y: &[u32]) -> f64 {
        let (w, h) = (width as i64, (x.len() as u32 / width) as i64);
        let peak = f64::from(depth.max_code().unwrap());
        let [c1, c2] = [0.01, 0.03].map(|k: f64| (k * peak) * (k * peak));
        let (mut sum, mut weights) = (0.0, 0.0);
        for centre in 0..w * h {
            let mut window = Vec::new();
            for place in 0..w * h {
                let (dx, dy) = (place % w - centre % w, place / w - centre / w);
                if dx.abs() <= 4 && dy.abs() <= 4 {
                    let tap = TAPS[(dx + 4) as usize] * TAPS[(dy + 4) as usize];
                    window.push((
                        f64::from(tap),
                        f64::from(x[place as usize]),
                        f64::from(y[place as usize]),
                    ));
                }
            }
            let weight: f64 = window.iter().map(|&(tap, ..)| tap).sum();
            let mean =
                |of: &dyn Fn(f64, f64) -> f64| window.iter().map(|&(tap, x, y)| tap * of(x, y)).sum::<f64>() / weight;
            let (mx, my) = (mean(&|x, _| x), mean(&|_, y| y));
            let (vx, vy) = (mean(&|x, _| (x - mx) * (x - mx)), mean(&|_, y| (y - my) * (y - my)));
            let covariance = mean(&|x, y| (x - mx) * (y - my));
            sum +=
                weight * (2.0 * mx * my + c1) * (2.0 * covariance + c2) / ((mx * mx + my * my + c1) * (vx + vy + c2));
            weights += weight;
        }
        sum / weights
    }

    #[test]
    fn the_taps_are_a_gaussian_of_one_and_a_half_samples() {
        let gauss = |x: f64| 256.0 / (1.5 * (2.0 * core::f64::consts::PI).sqrt()) * libm::exp(-x * x / 4.5);
        for (k, &tap) in TAPS.iter().enumerate().filter(|&(k, _)| k != RADIUS) {
            assert_eq!(tap, (gauss(k as f64 - 4.0) + 0.5) as u32);
        }
        assert_eq!(TAPS.iter().sum::<u32>(), 256);
        assert!(TAPS.iter().eq(TAPS.iter().rev()));
        assert!(gauss(5.0) < 0.5);
    }

    #[test]
    fn flat_planes_differ_in_luminance_alone() {
        for depth in Depth::INTEGER {
            let top = depth.max_code().unwrap();
            let black_white = ssim(11, depth, &[0; 143], &[top].repeat(143));
            assert!((black_white - 0.0001 / 1.0001).abs() < 1e-15, "{depth}: {black_white}");
            let same = ssim(11, depth, &[top].repeat(143), &[top].repeat(143));
            assert!((same - 1.0).abs() < 1e-12, "{depth}: {same}");
        }
    }

    #[test]
    fn one_sample_has_no_contrast() {
        let luminance = (2.0 * 100.0 * 50.0 + 6.5025) / (100.0 * 100.0 + 50.0 * 50.0 + 6.5025);
        assert!((ssim(1, Depth::U8, &[100], &[50]) - luminance).abs() < 1e-15);
    }

    #[test]
    fn the_largest_moments_fit_their_integers() {
        let white = plane(9, Depth::U16, &[65535].repeat(81));
        let mut windows = Vec::new();
        each_row(&white, &white, |row| windows.extend_from_slice(row));
        let centre = windows[4 * 9 + 4];
        assert_eq!(centre.weight, 1 << 16);
        assert_eq!(u64::from(centre.x), 65535 << 16);
        assert_eq!(centre.xx, (65535 * 65535) << 16);
    }

    #[test]
    fn weights_are_those_of_the_windows() {
        for (width, height) in [(1, 1), (3, 9), (20, 5)] {
            let black = plane(width, Depth::U8, &[0].repeat((width * height) as usize));
            let mut windows = Vec::new();
            each_row(&black, &black, |row| {
                windows.extend(row.iter().map(|window| window.weight))
            });
            let products = weights(height).flat_map(|down| weights(width).map(move |across| down * across));
            assert!(windows.iter().copied().eq(products));
            assert_eq!(
                total_weight(&black.shape()),
                windows.into_iter().map(u64::from).sum::<u64>()
            );
        }
    }

    #[test]
    fn padding_and_chroma_do_not_count() {
        let fixture = isobit_fixtures::named("padded").unwrap();
        let format = Format::new(Layout::Yuv420, Depth::U10);
        let input = fixture.input(format, 2).unwrap();
        let codes = |clip| -> Vec<u32> {
            let luma = input.plane(clip, 1, 0);
            (0..luma.shape().height).flat_map(|y| luma.codes(y)).collect()
        };
        let outputs = reference(&input).unwrap();
        assert_eq!(
            outputs[1].values.get(0).as_f64(),
            ssim(input.shape().width, Depth::U10, &codes(0), &codes(1))
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_score_is_the_textbooks(
            depth in prop::sample::select(&Depth::INTEGER[..]),
            width in 1..14u32,
            height in 1..14u32,
            codes in prop::collection::vec(any::<(u16, u16)>(), 169),
        ) {
            let pairs = codes.into_iter().take((width * height) as usize);
            let shift = 16 - depth.bits();
            let (x, y): (Vec<u32>, Vec<u32>) = pairs.map(|(x, y)| (u32::from(x >> shift), u32::from(y >> shift))).unzip();
            let (ours, theirs) = (ssim(width, depth, &x, &y), textbook(width, depth, &x, &y));
            prop_assert!((ours - theirs).abs() < 1e-12, "{ours} against {theirs}");
        }
    }
}
