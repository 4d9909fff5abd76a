//! Holds the references to the scores that libvmaf printed, 17 digits each, for the 36 golden clips.
//!
//! `golden/libvmaf.json` is the `psnr` and `float_moment` part of what Netflix/vmaf at commit f85a8536, built as scalar C,
//! printed for the fixtures that are named there.

#![expect(
    clippy::unwrap_used,
    reason = "a golden file or fixture that does not load fails the test"
)]

use std::collections::BTreeMap;

use isobit::format::{Depth, Format, Layout};
use isobit::kernel::Kernel;
use isobit::output::Output;
use quality::{float_moment, psnr};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Golden {
    fixture: String,
    width: u32,
    height: u32,
    depth: String,
    layout: String,
    frames: usize,
    /// By metric, frame by frame; `null` is not finite.
    scores: BTreeMap<String, Vec<Option<f64>>>,
}

impl Golden {
    fn all() -> Vec<Self> {
        let clips: Vec<Self> = serde_json::from_str(include_str!("../golden/libvmaf.json")).unwrap();
        assert_eq!(clips.len(), 36);
        clips
    }

    fn depth(&self) -> Depth {
        self.depth.parse().unwrap()
    }

    fn format(&self) -> Format {
        Format::new(self.layout.parse::<Layout>().unwrap(), self.depth())
    }

    /// Hands each score of the kernel's reference to `judge`, beside libvmaf's.
    fn check(&self, kernel: &Kernel, judge: impl Fn(&str, f64, f64)) {
        let input = isobit_fixtures::named(&self.fixture)
            .unwrap()
            .input(self.format(), 2)
            .unwrap();
        let shape = input.shape();
        assert_eq!(
            (shape.width, shape.height, input.frames()),
            (self.width, self.height, self.frames)
        );
        let outputs = (kernel.reference)(&input).unwrap();
        assert_eq!(outputs.len(), kernel.metrics.len() * self.frames);
        for Output {
            metric, frame, values, ..
        } in outputs
        {
            let golden = self.scores[metric][frame].unwrap_or(f64::NAN);
            let what = format!("{} {} {metric} of frame {frame}", self.fixture, self.format());
            judge(&what, values.get(0).as_f64(), golden);
        }
    }
}

/// Distance in representable doubles of one sign.
fn ulps(a: f64, b: f64) -> u64 {
    a.to_bits().abs_diff(b.to_bits())
}

#[test]
fn moments_are_those_of_libvmaf_to_the_last_bit() {
    for clip in Golden::all() {
        clip.check(&float_moment::KERNEL, |what, score, golden| {
            assert_eq!(score.to_bits(), golden.to_bits(), "{what}: {score} against {golden}");
        });
    }
}

/// The squared errors are equal to the last bit; the decibels may be off by the rounding of one logarithm.
#[test]
fn mse_is_that_of_libvmaf_to_the_last_bit_and_psnr_to_one_rounding() {
    for clip in Golden::all() {
        clip.check(&psnr::KERNEL, |what, score, golden| {
            let allowed = if what.contains("psnr_") { LOG10_ULPS } else { 0 };
            assert!(ulps(score, golden) <= allowed, "{what}: {score} against {golden}");
        });
    }
}

/// The decibels of every golden clip from libvmaf's own squared errors: what is left is the logarithm alone.
#[test]
fn decibels_differ_from_those_of_libvmaf_by_their_logarithm_alone() {
    let mut worst = 0;
    for clip in Golden::all() {
        for plane in ["y", "cb", "cr"] {
            let of = |name: &str| clip.scores[&format!("{name}_{plane}")].clone();
            for (mse, golden) in of("mse").into_iter().zip(of("psnr")) {
                worst = worst.max(ulps(psnr::psnr(mse.unwrap(), clip.depth()), golden.unwrap()));
            }
        }
    }
    assert_eq!(worst, LOG10_ULPS, "the documented maximum is {LOG10_ULPS} ULP");
}

/// Between `libm::log10` and the logarithm of the C library that libvmaf was linked to, in units in the last place of the
/// decibels: the measured maximum over the golden clips.
const LOG10_ULPS: u64 = 2;
