//! Holds `vif` to the scores that libvmaf printed, 17 digits each, for the 36 golden clips.
//!
//! `golden/vif.json` is that part of what Netflix/vmaf at commit f85a8536, built as scalar C, printed for the fixtures that
//! are named there.

use std::collections::BTreeMap;

use isobit::format::Format;
use quality::vif::KERNEL;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Golden {
    fixture: String,
    depth: String,
    layout: String,
    /// By scale, frame by frame.
    scores: BTreeMap<String, Vec<f64>>,
}

#[test]
fn scores_are_those_of_libvmaf_to_the_last_bit() {
    let clips: Vec<Golden> = serde_json::from_str(include_str!("../golden/vif.json")).unwrap();
    assert_eq!(clips.len(), 36);
    for clip in clips {
        let format = Format::new(clip.layout.parse().unwrap(), clip.depth.parse().unwrap());
        let input = isobit_fixtures::named(&clip.fixture).unwrap().input(format, 2).unwrap();
        let mut scores = BTreeMap::<_, Vec<f64>>::new();
        for output in KERNEL.compute(&input).unwrap() {
            scores
                .entry(output.metric)
                .or_default()
                .push(output.values.get(0).as_f64());
        }
        for (metric, golden) in &clip.scores {
            assert_eq!(
                scores[metric.as_str()],
                *golden,
                "{metric} of {} {format}",
                clip.fixture
            );
        }
        assert_eq!(clip.scores.len(), 4);
        for scale in 0..4 {
            let of = |part: &str| &scores[format!("integer_vif_{part}scale{scale}").as_str()];
            let quotients = of("num_")
                .iter()
                .zip(of("den_"))
                .map(|(&n, &d)| f64::from(n as f32 / d as f32));
            assert!(quotients.eq(of("").iter().copied()));
        }
    }
}
