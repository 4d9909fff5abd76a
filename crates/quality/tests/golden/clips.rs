//! The golden clips of a file, and the comparison of a kernel's reference with the scores beside them.

use std::collections::BTreeMap;

use isobit::format::{Depth, Format, Layout};
use isobit::kernel::Kernel;
use isobit::output::Output;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Golden {
    fixture: String,
    width: u32,
    height: u32,
    depth: String,
    layout: String,
    frames: usize,
    /// By metric, frame by frame; `null` is not finite.
    pub scores: BTreeMap<String, Vec<Option<f64>>>,
}

impl Golden {
    /// The clips of a golden file, given its text.
    pub fn all(json: &str) -> Vec<Self> {
        Self::some(json, 36)
    }

    /// The same of a file that has fewer.
    pub fn some(json: &str, number: usize) -> Vec<Self> {
        let clips: Vec<Self> = serde_json::from_str(json).unwrap();
        assert_eq!(clips.len(), number);
        clips
    }

    pub fn depth(&self) -> Depth {
        self.depth.parse().unwrap()
    }

    fn format(&self) -> Format {
        Format::new(self.layout.parse::<Layout>().unwrap(), self.depth())
    }

    /// What the kernel's reference yields for the clip.
    pub fn outputs(&self, kernel: &Kernel) -> Vec<Output> {
        let input = isobit_fixtures::named(&self.fixture)
            .unwrap()
            .input(self.format(), kernel.clips)
            .unwrap();
        let shape = input.shape();
        assert_eq!(
            (shape.width, shape.height, input.frames()),
            (self.width, self.height, self.frames)
        );
        let outputs = kernel.compute(&input).unwrap();
        assert_eq!(outputs.len(), kernel.metrics.len() * self.frames);
        outputs
    }

    /// Hands each score of the kernel's reference to `judge`, beside libvmaf's.
    pub fn check(&self, kernel: &Kernel, judge: impl Fn(&str, f64, f64)) {
        for Output {
            metric, frame, values, ..
        } in self.outputs(kernel)
        {
            let golden = self.scores[metric][frame].unwrap_or(f64::NAN);
            let what = format!("{} {} {metric} of frame {frame}", self.fixture, self.format());
            judge(&what, values.get(0).as_f64(), golden);
        }
    }

    /// Holds each score of the kernel's reference to the bits of libvmaf's.
    pub fn check_bits(&self, kernel: &Kernel) {
        self.check(kernel, |what, score, golden| {
            assert_eq!(score.to_bits(), golden.to_bits(), "{what}: {score} against {golden}");
        });
    }
}

/// Distance in representable doubles of one sign.
pub fn ulps(a: f64, b: f64) -> u64 {
    a.to_bits().abs_diff(b.to_bits())
}
