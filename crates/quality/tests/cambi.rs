//! Holds `cambi` to the scores that libvmaf printed, 17 digits each, for the 36 golden clips.
//!
//! `golden/cambi.json` is that part of what Netflix/vmaf at commit f85a8536, built as scalar C, printed for the fixtures that
//! are named there.

use isobit::format::Format;
use quality::cambi::KERNEL;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Golden {
    fixture: String,
    depth: String,
    layout: String,
    /// Frame by frame.
    cambi: Vec<f64>,
}

#[test]
fn scores_are_those_of_libvmaf_to_the_last_bit() {
    let clips: Vec<Golden> = serde_json::from_str(include_str!("../golden/cambi.json")).unwrap();
    assert_eq!(clips.len(), 36);
    for clip in clips {
        let format = Format::new(clip.layout.parse().unwrap(), clip.depth.parse().unwrap());
        let input = isobit_fixtures::named(&clip.fixture).unwrap().input(format, 2).unwrap();
        let outputs = KERNEL.compute(&input).unwrap();
        let scores: Vec<_> = outputs.iter().map(|output| output.values.get(0).as_f64()).collect();
        assert_eq!(scores, clip.cambi, "{} {format}", clip.fixture);
    }
}
