//! What the reference of `vif` holds after each dispatch of the exact twin, in the layout of its buffers.

use isobit::frame::Input;
use isobit::output::Values;
use isobit::stage::Stage;

use super::reference::{self, FILTERS, Level, Settings, Sums, Variances};
use super::twin::{self, NEIGHBOURS, SUMMED_GROUPS};

pub(super) fn stages(input: &Input, settings: Settings, frame: usize) -> Vec<Stage> {
    let bits = input.shape().format.depth.bits();
    let levels = reference::levels(input.plane(0, frame, 0), input.plane(1, frame, 0), bits);
    let mut stages = Vec::new();
    for (scale, level) in levels.iter().enumerate() {
        if scale > 0 {
            let (columns, pairs) = (twin::columns_buffer(scale), twin::level_buffer(scale));
            let filtered = filtered_columns(&levels[scale - 1], level.height, FILTERS[scale]);
            stages.push(words(&columns, &columns, levels[scale - 1].width, filtered));
            stages.push(words(&pairs, &pairs, level.width, samples(level)));
        }
        if scale > 0 || !settings.skip_first {
            for (band, rows) in twin::bands((level.width as u64, level.height as u64))
                .into_iter()
                .enumerate()
            {
                let rows = rows.start as usize..rows.end as usize;
                let (label, sums) = (twin::moments_label(scale, band), twin::sums_buffer(scale, band));
                let (moments, partials) = band_of(level, rows, FILTERS[scale], settings.gain_limit);
                stages.push(words(&label, &twin::moments_buffer(scale), 4 * level.width, moments));
                stages.push(Stage::new(&*sums, &*sums, 4, Values::U64(partials)));
            }
        }
    }
    stages
}

fn words(label: &str, buffer: &str, width: usize, words: Vec<u32>) -> Stage {
    Stage::new(label, buffer, width as u32, Values::U32(words))
}

/// Two halves of a word, the reference's the lower one.
fn pair(reference: u32, distorted: u32) -> u32 {
    reference | distorted << 16
}

/// Every second row of `level`, `rows` of them, filtered down the columns.
fn filtered_columns(level: &Level, rows: usize, filter: &[u32]) -> Vec<u32> {
    let row = |y| {
        let [r, d] = [0, 1].map(|clip| level.filtered_columns(clip, 2 * y, filter));
        r.into_iter().zip(d).map(|(r, d)| pair(r, d))
    };
    (0..rows).flat_map(row).collect()
}

fn samples(level: &Level) -> Vec<u32> {
    let [r, d] = &level.samples;
    r.iter().zip(d).map(|(&r, &d)| pair(r.into(), d.into())).collect()
}

/// The moments of a band of rows, four words a window, and the partial sums over its windows.
fn band_of(level: &Level, rows: std::ops::Range<usize>, filter: &[u32], gain_limit: f64) -> (Vec<u32>, Vec<u64>) {
    let (mut words, mut groups) = (Vec::new(), Vec::new());
    for y in rows {
        let moments = level.column_moments(y, filter);
        let ([r, d], [rr, dd, rd]) = (&moments.means, &moments.squares);
        words.extend((0..level.width).flat_map(|x| [pair(r[x], d[x]), rr[x], dd[x], rd[x]]));
        let windows: Vec<_> = reference::variances(&moments, filter).collect();
        groups.extend(windows.chunks(NEIGHBOURS as usize).map(<[Variances]>::to_vec));
    }
    let partials = groups.chunks(SUMMED_GROUPS as usize).flat_map(|groups| {
        let mut sums = Sums::default();
        for &variances in groups.iter().flatten() {
            sums.add(variances, gain_limit);
        }
        [sums.kept, sums.whole, sums.flat_variance, sums.flat].map(i64::cast_unsigned)
    });
    (words, partials.collect())
}
