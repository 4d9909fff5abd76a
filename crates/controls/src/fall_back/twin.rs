//! The two steps on the device, and the second one where only the host can take it.

use std::collections::BTreeMap;

use isobit::execution::Readback;
use isobit::frame::{ClipShape, Input};
use isobit::kernel::{Finish, KernelError, Route, Twin};
use isobit::plan::Plan;
use isobit::work::{Step, Work};

use super::{NAME, reference};
use crate::device;
use crate::picture::Picture;

pub const TWINS: &[Twin] = &[
    twin("sound", Work::Steps(|shape, _| Ok(steps(shape, true)))),
    twin("broken", Work::Steps(|shape, _| Ok(steps(shape, false)))),
];

const fn twin(name: &'static str, work: Work) -> Twin {
    Twin {
        name,
        routes: &[Route::Integer],
        work,
        finish: Finish::Frame(device::finish_codes),
        stages: None,
    }
}

fn steps(shape: &ClipShape, on_device: bool) -> Vec<Box<dyn Step>> {
    let shape = shape.clone();
    vec![
        Box::new(Doubled { shape: shape.clone() }),
        Box::new(Raised { shape, on_device }),
    ]
}

/// The first step.
struct Doubled {
    shape: ClipShape,
}

impl Step for Doubled {
    fn name(&self) -> String {
        "double".to_owned()
    }

    fn host_reason(&self) -> Option<&'static str> {
        None
    }

    fn plan(&self) -> Result<Plan, KernelError> {
        let groups = device::per_sample(&self.shape);
        Ok(device::plan(&self.shape, include_str!("twin.wgsl"))
            .output("doubled", self.shape.planes[0].samples(), 4)
            .dispatch("double", &["picture", "shape", "doubled"], groups))
    }

    fn on_host(&self, input: &Input, frame: usize, _: &Readback) -> Result<Readback, KernelError> {
        Ok(left("doubled", Picture::of(input, frame).map(reference::doubled).codes))
    }
}

/// The second step.
struct Raised {
    shape: ClipShape,
    on_device: bool,
}

impl Step for Raised {
    fn name(&self) -> String {
        "raise".to_owned()
    }

    fn host_reason(&self) -> Option<&'static str> {
        None
    }

    fn plan(&self) -> Result<Plan, KernelError> {
        if !self.on_device {
            return Err(KernelError::Unsupported {
                kernel: NAME,
                reason: "the broken twin has no plan for it".to_owned(),
            });
        }
        let samples = self.shape.planes[0].samples();
        let groups = device::per_sample(&self.shape);
        Ok(Plan::new(include_str!("raise.wgsl"))
            .handed_over("doubled", samples)
            .uniform("size", &[samples as u32, 0, 0, 0])
            .output("codes", samples, 4)
            .dispatch("raise", &["doubled", "size", "codes"], groups))
    }

    fn on_host(&self, _: &Input, _: usize, handed: &Readback) -> Result<Readback, KernelError> {
        let doubled = handed.u32s("doubled")?;
        Ok(left("codes", doubled.into_iter().map(reference::raised).collect()))
    }
}

fn left(buffer: &str, codes: Vec<u32>) -> Readback {
    let bytes = codes.into_iter().flat_map(u32::to_le_bytes).collect();
    Readback {
        buffers: BTreeMap::from([(buffer.to_owned(), bytes)]),
    }
}
