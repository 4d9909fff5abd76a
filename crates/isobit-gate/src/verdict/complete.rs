//! Whether outputs are whole: every metric in every frame, with elements in each.

use std::collections::BTreeSet;

use isobit::kernel::{Metric, MetricKind};
use isobit::output::Output;

/// Refuses outputs in which a metric is missing in some frame, has no elements, or comes twice.
///
/// `frames` is the number of frames that the source has, absent for a part of a clip of unknown length, whose frames then
/// have to follow each other.
pub(super) fn check(metrics: &[Metric], frames: Option<usize>, outputs: &[Output]) -> Result<(), String> {
    let present: BTreeSet<usize> = outputs.iter().map(|output| output.frame).collect();
    let expected = match (frames, present.first(), present.last()) {
        (Some(frames), ..) => 0..frames,
        (None, Some(&first), Some(&last)) => first..last + 1,
        (None, ..) => 0..0,
    };
    if expected.is_empty() {
        return Err("there is no frame".to_owned());
    }
    if let Some(frame) = present.iter().find(|frame| !expected.contains(frame)) {
        return Err(format!(
            "frame {frame} is not one of the {} frames of the source",
            expected.len()
        ));
    }
    let places: BTreeSet<_> = outputs.iter().map(|o| (o.metric, o.frame, o.plane)).collect();
    for metric in metrics {
        let of_clip = matches!(metric.kind, MetricKind::ClipPlane(_));
        let frames = if of_clip {
            expected.start..expected.start + 1
        } else {
            expected.clone()
        };
        for frame in frames {
            if !places
                .range((metric.name, frame, 0)..=(metric.name, frame, usize::MAX))
                .any(|_| true)
            {
                return Err(format!("metric `{}` is missing in frame {frame}", metric.name));
            }
        }
    }
    if places.len() != outputs.len() {
        return Err("a plane of a metric comes twice in one frame".to_owned());
    }
    for output in outputs {
        if output.values.is_empty() {
            return Err(format!(
                "metric `{}` has no element in frame {}",
                output.metric, output.frame
            ));
        }
        let scalar = metrics
            .iter()
            .any(|m| m.name == output.metric && m.kind == MetricKind::Score);
        if scalar && (output.plane, output.values.len()) != (0, 1) {
            return Err(format!(
                "metric `{}` is one number a frame, and frame {} has more",
                output.metric, output.frame
            ));
        }
    }
    Ok(())
}
