//! The contrasts of a picture at one scale, and the mean of the strongest: the second half of the specification.
//!
//! A window holds at most 65² pixels, so a count takes 13 bits, and `weight·p₀·p₁` is at most 9·4225²/4 < 2^26. libvmaf's
//! histogram leaves out codes that no step leads to or from; here those are left out that are brighter than any that a step
//! leads to. Neither changes a contrast.

use super::map::Map;
use super::settings::Settings;

/// In place of a code that is not counted.
const UNCOUNTED: u16 = u16::MAX;

/// The codes that are counted: where banding is looked for, as far as a step can lead to them.
pub(super) fn counted(image: &Map<u16>, mask: &Map<bool>, settings: &Settings) -> Map<u16> {
    let brightest = settings.brightest_counted();
    let mut codes = image.clone();
    for (code, &looked_at) in codes.values.iter_mut().zip(&mask.values) {
        if !looked_at || u32::from(*code) > brightest {
            *code = UNCOUNTED;
        }
    }
    codes
}

/// The contrast of each pixel; 0 where its code is not counted.
pub(super) fn contrasts(codes: &Map<u16>, settings: &Settings) -> Map<f32> {
    let (width, height, reach) = (codes.width, codes.height, settings.window as usize / 2);
    let outside = vec![UNCOUNTED; width];
    let mut counts = Counts::new(width, reach, settings.brightest_counted() as usize + 1);
    for y in 0..reach.min(height) {
        counts.slide(&outside, codes.row(y));
    }
    Map::from_rows(width, height, |y, contrasts| {
        let leaving = if y > reach { codes.row(y - reach - 1) } else { &outside };
        let entering = if y + reach < height {
            codes.row(y + reach)
        } else {
            &outside
        };
        counts.slide(leaving, entering);
        for (x, &code) in codes.row(y).iter().enumerate() {
            if code != UNCOUNTED {
                contrasts[x] = contrast(code, |code| counts.of(code, x), settings);
            }
        }
    })
}

/// For each column, how many pixels of its window have each code, in the window's rows so far.
struct Counts {
    width: usize,
    reach: usize,
    /// Code by code, a row of columns each: a pixel counts in all the columns whose windows hold it, which lie side by side.
    counts: Vec<u16>,
}

impl Counts {
    fn new(width: usize, reach: usize, codes: usize) -> Self {
        let counts = vec![0; codes * width];
        Self { width, reach, counts }
    }

    /// How many pixels of the window around column `x` have `code`.
    fn of(&self, code: u32, x: usize) -> u32 {
        u32::from(self.counts[code as usize * self.width + x])
    }

    /// Moves all windows down by a row.
    fn slide(&mut self, leaving: &[u16], entering: &[u16]) {
        for (x, (&leaving, &entering)) in leaving.iter().zip(entering).enumerate() {
            if leaving == entering {
                continue;
            }
            if leaving != UNCOUNTED {
                self.windows_with(x, leaving).iter_mut().for_each(|count| *count -= 1);
            }
            if entering != UNCOUNTED {
                self.windows_with(x, entering).iter_mut().for_each(|count| *count += 1);
            }
        }
    }

    fn windows_with(&mut self, x: usize, code: u16) -> &mut [u16] {
        let columns = x.saturating_sub(self.reach)..(x + self.reach + 1).min(self.width);
        &mut self.counts[usize::from(code) * self.width..][columns]
    }
}

/// The strongest contrast of a pixel of `code`, of whose window `count` pixels have each code: `weight·p₀·p₁/(p₀ + p₁)` over
/// the steps that can be seen, where `p₀` pixels have its code and `p₁` the one above or the one below, whichever is more.
fn contrast(code: u16, count: impl Fn(u32) -> u32, settings: &Settings) -> f32 {
    let code = u32::from(code);
    let same = count(code);
    let mut strongest = 0.0;
    for (step, by) in (1..).zip(&settings.steps) {
        // libvmaf compares the code as its histogram has it, which begins as many codes lower as there are steps.
        if code > by.brightest || code + settings.steps.len() as u32 + step <= settings.darkest {
            continue;
        }
        let below = code.checked_sub(step).map_or(0, &count);
        let other = count(code + step).max(below);
        let contrast = (by.weight * same * other) as f32 * settings.reciprocals[(same + other) as usize];
        if contrast > strongest {
            strongest = contrast;
        }
    }
    strongest
}

/// The mean of the strongest contrasts, a share of `topk` of all.
pub(super) fn pool(mut contrasts: Vec<f32>, topk: f64) -> f64 {
    let pooled = ((topk * contrasts.len() as f64) as usize).clamp(1, contrasts.len());
    select(&mut contrasts, pooled);
    let sum = contrasts[..pooled]
        .iter()
        .fold(0.0, |sum, &contrast| sum + f64::from(contrast));
    sum / pooled as f64
}

/// Moves the `count` greatest values to the front, by Hoare's quickselect around the value at `count`.
///
/// The order in which it leaves them is part of the definition, as they are summed in it.
fn select(values: &mut [f32], count: usize) {
    if count == values.len() {
        return;
    }
    let (mut first, mut end) = (0, values.len());
    while first + 1 < end {
        let pivot = values[count];
        let (mut left, mut right) = (first, end);
        while left < right {
            while values[left] > pivot {
                left += 1;
            }
            while values[right - 1] < pivot {
                right -= 1;
            }
            if left < right {
                right -= 1;
                values.swap(left, right);
                left += 1;
            }
        }
        if right <= count {
            first = left;
        }
        if count < left {
            end = right;
        }
    }
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};
    use isobit::frame::ClipShape;
    use proptest::prelude::*;

    use super::super::KERNEL;
    use super::super::settings::Analyses;
    use super::*;

    fn settings(width: u32, height: u32) -> Settings {
        let shape = ClipShape::tight(Format::new(Layout::Yuv420, Depth::U10), width, height);
        Analyses::new(&shape, &KERNEL.options).unwrap().encode
    }

    #[test]
    fn a_contrast_is_the_strongest_over_the_steps_that_show() {
        let settings = settings(358, 354);
        let counts = |code: u32| match code {
            100 => 20,
            101 => 10,
            98 => 20,
            _ => 0,
        };
        // One code: 1·20·10/30; two codes: 2·20·20/40.
        assert_eq!(contrast(100, counts, &settings), 400.0 * settings.reciprocals[40] * 2.0);
        let bright = |code: u32| if code == 178 || code == 179 { 10 } else { 0 };
        assert_eq!(contrast(178, bright, &settings), 100.0 * settings.reciprocals[20]);
        assert_eq!(contrast(179, bright, &settings), 0.0);
        assert_eq!(contrast(0, |code| u32::from(code < 2), &settings), 0.5);
    }

    proptest! {
        #[test]
        fn sliding_counts_are_those_of_each_window(width in 3..20usize, height in 3..20usize, reach in 1..3usize, codes in prop::collection::vec(prop::sample::select(&[0u16, 1, 2, UNCOUNTED]), 400)) {
            let codes = Map::of(width, &codes[..width * height]);
            let mut settings = settings(216, 216);
            settings.window = 2 * reach as u32 + 1;
            let found = contrasts(&codes, &settings);
            let (columns, rows) = (width as i32, height as i32);
            for (index, &code) in codes.values.iter().enumerate() {
                let (x, y, reach) = ((index % width) as i32, (index / width) as i32, reach as i32);
                let inside = |code: u32| {
                    let window = (y - reach..=y + reach).flat_map(|y| (x - reach..=x + reach).map(move |x| (x, y)));
                    let shown = window.filter(|&(x, y)| (0..columns).contains(&x) && (0..rows).contains(&y));
                    shown.filter(|&(x, y)| u32::from(codes.row(y as usize)[x as usize]) == code).count() as u32
                };
                let expected = if code == UNCOUNTED { 0.0 } else { contrast(code, inside, &settings) };
                prop_assert_eq!(found.values[index], expected);
            }
        }

        #[test]
        fn the_greatest_values_come_first(values in prop::collection::vec(0..9u8, 1..60), count: prop::sample::Index) {
            let mut values: Vec<_> = values.into_iter().map(f32::from).collect();
            let count = count.index(values.len()) + 1;
            let mut sorted = values.clone();
            sorted.sort_by(|a, b| b.total_cmp(a));
            select(&mut values, count);
            values[..count].sort_by(|a, b| b.total_cmp(a));
            prop_assert_eq!(&values[..count], &sorted[..count]);
        }
    }

    #[test]
    fn the_share_that_is_pooled_is_rounded_down_and_never_nothing() {
        assert_eq!(pool(vec![1.0, 4.0, 2.0, 8.0, 0.0], 0.6), 14.0 / 3.0);
        assert_eq!(pool(vec![1.0, 4.0], 1e-4), 4.0);
        assert_eq!(pool(vec![1.0, 4.0], 1.0), 2.5);
    }
}
