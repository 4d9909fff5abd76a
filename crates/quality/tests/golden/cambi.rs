//! `cambi`, alone and against the source.

use std::collections::BTreeMap;

use isobit::format::{Format, Layout};
use quality::cambi;
use serde::Deserialize;

use crate::clips::Golden;

#[test]
fn cambi_is_that_of_libvmaf_to_the_last_bit() {
    for clip in Golden::all(include_str!("../../golden/cambi.json")) {
        clip.check_bits(&cambi::KERNEL);
    }
}

/// What `cambi.c` of the same commit, built as scalar C, yields with `full_ref` for the luma of a fixture.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WithOptions {
    fixture: String,
    depth: String,
    options: BTreeMap<String, String>,
    /// By metric, frame by frame.
    scores: BTreeMap<String, Vec<f64>>,
}

#[test]
fn every_option_changes_the_scores_as_it_does_in_libvmaf() {
    let rows: Vec<WithOptions> = serde_json::from_str(include_str!("../../golden/cambi_options.json")).unwrap();
    assert_eq!(rows.len(), 28);
    for row in rows {
        let given: Vec<_> = row.options.clone().into_iter().collect();
        let kernel = cambi::FULL_REFERENCE.with_options(&given).unwrap();
        let format = Format::new(Layout::Yuv420, row.depth.parse().unwrap());
        let input = isobit_fixtures::named(&row.fixture).unwrap().input(format, 2).unwrap();
        let mut scores: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for output in kernel.compute(&input).unwrap() {
            let name = kernel.base(output.metric).to_owned();
            scores.entry(name).or_default().push(output.values.get(0).as_f64());
        }
        assert_eq!(scores, row.scores, "{} {format} {:?}", row.fixture, row.options);
    }
}
