//! Holds `psnr_hvs` to the scores that libvmaf printed, 17 digits each, for the golden clips of up to 12 bits.
//!
//! `golden/psnr_hvs.json` is that part of what Netflix/vmaf at commit f85a8536, built as scalar C, printed for the fixtures
//! that are named there.

use std::collections::BTreeMap;

use isobit::format::Format;
use quality::psnr_hvs::KERNEL;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Golden {
    fixture: String,
    depth: String,
    layout: String,
    /// By metric, frame by frame; `null` is not finite.
    scores: BTreeMap<String, Vec<Option<f64>>>,
}

/// Between `libm::log10` and the logarithm of the C library that libvmaf was linked to, in units in the last place of the
/// decibels: the measured maximum over the golden clips, of whose 276 finite scores 259 are equal. An error that differed by
/// one unit of its f32 would be off by 2.6e-7 dB.
const LOG10_ULPS: u64 = 2;

#[test]
fn scores_are_those_of_libvmaf_but_for_the_rounding_of_a_logarithm() {
    let clips: Vec<Golden> = serde_json::from_str(include_str!("../golden/psnr_hvs.json")).unwrap();
    assert_eq!(clips.len(), 27);
    let (mut worst, mut finite, mut equal) = (0, 0, 0);
    for clip in clips {
        let format = Format::new(clip.layout.parse().unwrap(), clip.depth.parse().unwrap());
        let input = isobit_fixtures::named(&clip.fixture).unwrap().input(format, 2).unwrap();
        let outputs = KERNEL.compute(&input).unwrap();
        assert_eq!(outputs.len(), 4 * input.frames());
        for output in outputs {
            let score = output.values.get(0).as_f64();
            let what = format!("{} {format} {} of frame {}", clip.fixture, output.metric, output.frame);
            let Some(golden) = clip.scores[output.metric][output.frame] else {
                assert_eq!(score, f64::INFINITY, "{what}");
                continue;
            };
            let ulps = score.to_bits().abs_diff(golden.to_bits());
            assert!(ulps <= LOG10_ULPS, "{what}: {score} against {golden}");
            worst = worst.max(ulps);
            finite += 1;
            equal += usize::from(ulps == 0);
        }
    }
    assert_eq!(
        (worst, finite, equal),
        (LOG10_ULPS, 276, 259),
        "the documented maximum and counts"
    );
}
