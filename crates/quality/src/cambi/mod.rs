//! Banding: the contrast-aware multiscale banding index of a distorted clip, alone or held against its reference.

mod choices;
mod contrast;
mod luminance;
mod map;
mod reference;
mod settings;
mod twin;

use isobit::frame::{ClipShape, Input};
use isobit::kernel::{Finish, Kernel, KernelError, Metric, MetricKind, NanPolicy, Route, Twin, Window};
use isobit::options::Options;
use isobit::output::Output;
use isobit::work::Work;

use self::settings::Analyses;
use crate::planes;

/// The score of the distorted clip.
///
/// The exact twin counts in integers on the device; a contrast is one product of two f32 that have the reference's bits, and
/// the contrasts are pooled by the reference's own function on the host, in its order.
pub const KERNEL: Kernel = Kernel {
    name: "cambi",
    summary: "Banding of the distorted clip's luma, after `cambi.c` of libvmaf.",
    clips: 2,
    metrics: &[score(reference::CAMBI)],
    options: Options::of(choices::OPTIONS),
    window: Window::FRAME,
    accepts: planes::accepts,
    refuses: |shape| refuses(shape, &KERNEL.options),
    reference: compute,
    twins: &[EXACT],
};

/// The score of the distorted clip, that of the reference, and how much the first exceeds the second: what libvmaf computes
/// with `full_ref`. The twin is that of [`KERNEL`], for both clips.
pub const FULL_REFERENCE: Kernel = Kernel {
    name: "cambi_full_ref",
    summary: "Banding of the distorted clip's luma beyond that of the reference, after `cambi.c` of libvmaf with `full_ref`.",
    metrics: &[
        score(reference::CAMBI),
        score(reference::SOURCE),
        score(reference::DIFFERENCE),
    ],
    options: Options::of(choices::FULL_REFERENCE),
    refuses: |shape| refuses(shape, &FULL_REFERENCE.options),
    ..KERNEL
};

const EXACT: Twin = Twin {
    name: "exact",
    routes: &[Route::Integer, Route::Soft, Route::Sealed, Route::Host],
    work: Work::Frame(twin::plan),
    finish: Finish::Frame(twin::finish),
    stages: Some(twin::stages),
};

const fn score(name: &'static str) -> Metric {
    Metric {
        name,
        kind: MetricKind::Score,
        nan: NanPolicy::Never,
    }
}

fn refuses(shape: &ClipShape, options: &Options) -> Option<String> {
    let unsupported = |error| match error {
        KernelError::Unsupported { reason, .. } => reason,
        other => other.to_string(),
    };
    planes::refuses(shape).or_else(|| Analyses::new(shape, options).err().map(unsupported))
}

fn compute(input: &Input, options: &Options) -> Result<Vec<Output>, KernelError> {
    Ok(reference::reference(input, &Analyses::new(input.shape(), options)?))
}
