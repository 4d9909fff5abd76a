//! The order of steps, what they are handed, and what receipts say of them.

use std::collections::BTreeMap;

use super::*;
use crate::execution::{BufferFault, FaultKind};
use crate::format::{Depth, Format, Layout};
use crate::frame::{Clip, Frame, Plane};
use crate::kernel::{Finish, Window};
use crate::output::Output;

/// Adds one to a number on the device, where it can, or on the host.
struct AddOne {
    host: Option<&'static str>,
    unsupported: bool,
}

fn number(value: u32) -> Readback {
    Readback {
        buffers: BTreeMap::from([("number".to_owned(), value.to_le_bytes().to_vec())]),
    }
}

impl Step for AddOne {
    fn name(&self) -> String {
        "add one".to_owned()
    }

    fn host_reason(&self) -> Option<&'static str> {
        self.host
    }

    fn plan(&self) -> Result<Plan, KernelError> {
        if self.unsupported {
            return Err(KernelError::Unsupported {
                kernel: "sum",
                reason: "it is too much".to_owned(),
            });
        }
        let plan = Plan::new("").handed_over("number", 1);
        Ok(plan.output("next", 1, 4).dispatch("add", &["number", "next"], 1))
    }

    fn on_host(&self, input: &Input, frame: usize, handed: &Readback) -> Result<Readback, KernelError> {
        let before = match handed.u32s("number") {
            Ok(words) => words[0],
            Err(_) => input.plane(0, frame, 0).bytes()[0].into(),
        };
        Ok(number(before + 1))
    }
}

const fn step(host: Option<&'static str>, unsupported: bool) -> AddOne {
    AddOne { host, unsupported }
}

const fn kernel(work: Work) -> (Kernel, Twin) {
    let twin = Twin {
        name: "exact",
        routes: &[],
        work,
        finish: Finish::Frame(|_, _, _, _| Ok(Vec::<Output>::new())),
        stages: None,
    };
    let kernel = Kernel {
        name: "sum",
        summary: "a number and one for each step",
        clips: 1,
        metrics: &[],
        options: Options::NONE,
        window: Window::FRAME,
        accepts: |_| true,
        refuses: Kernel::refuses_nothing,
        reference: |_, _| Ok(Vec::new()),
        twins: &[],
    };
    (kernel, twin)
}

/// Frames of one sample each.
fn input(samples: &[u8]) -> Input {
    let shape = ClipShape::tight(Format::new(Layout::Mono, Depth::U8), 1, 1);
    let frame = |&sample: &u8| Frame {
        planes: vec![Plane::new(shape.planes[0], Depth::U8, vec![sample]).unwrap()],
    };
    let frames = samples.iter().map(frame).collect();
    Input::new(vec![Clip::new(shape.clone(), frames).unwrap()]).unwrap()
}

/// A device that adds ten, so that its work is told from the host's, and finds a fault in all that it runs.
fn device(plan: &Plan, input: &Input) -> Result<Execution, String> {
    let Some(Role::Constant { words }) = plan.buffers.get("number").map(|buffer| &buffer.role) else {
        return Err("nothing was handed over".to_owned());
    };
    assert_eq!(input.frames(), 1);
    Ok(Execution {
        frames: vec![number(words[0] + 10)],
        faults: vec![BufferFault {
            frame: 0,
            buffer: "next".to_owned(),
            kind: FaultKind::Untouched,
            count: 1,
            first: 0,
        }],
        ..Execution::default()
    })
}

#[test]
fn steps_are_handed_what_was_left_and_receipts_say_where_each_ran() {
    let (kernel, twin) = kernel(Work::Steps(|_, _| {
        Ok(vec![
            Box::new(step(Some("it reads the file"), false)),
            Box::new(step(None, false)),
            Box::new(step(None, true)),
        ])
    }));
    let ran = kernel.run(&twin, &input(&[3, 50]), "toy", &mut device).unwrap();
    assert_eq!(ran.execution.frames, [number(3 + 1 + 10 + 1), number(50 + 1 + 10 + 1)]);
    let frames: Vec<_> = ran.execution.faults.iter().map(|fault| fault.frame).collect();
    assert_eq!(frames, [0, 1]);
    assert_eq!(ran.receipt.fallen_back(), Some(("add one", "it is too much")));
    assert_eq!(
        ran.receipt.to_string(),
        "add one: host, it reads the file\nadd one: toy: add\nadd one: host, fell back: it is too much"
    );
    assert_eq!(kernel.plans(&twin, input(&[0]).shape(), 1).unwrap().len(), 1);
}

#[test]
fn a_step_that_is_handed_nothing_does_not_run() {
    let (kernel, twin) = kernel(Work::Steps(|_, _| Ok(vec![Box::new(step(None, false))])));
    let error = kernel.run(&twin, &input(&[0]), "toy", &mut device).unwrap_err();
    assert!(matches!(error, WorkError::Kernel(KernelError::Readback(_))), "{error}");
}

#[test]
fn a_plan_over_a_clip_runs_once_and_reads_every_frame() {
    let (kernel, twin) = kernel(Work::Clip(|shape, frames, _| {
        let inputs = (0..frames).fold(Plan::new(""), |plan, frame| {
            plan.input(&format!("frame_{frame}"), frame, 0, shape.planes[0].bytes())
        });
        Ok(inputs.output("sum", 1, 4).dispatch("add", &["sum"], 1))
    }));
    let mut runs = Vec::new();
    let ran = kernel.run(&twin, &input(&[3, 4, 5]), "toy", &mut |plan, input: &Input| {
        let samples = (0..input.clips().len()).map(|clip| input.plane(clip, 0, 0).bytes()[0]);
        runs.push((plan.buffers.len(), samples.collect::<Vec<_>>()));
        Ok::<_, String>(Execution::default())
    });
    assert_eq!(ran.unwrap().receipt.to_string(), "clip: toy: add");
    assert_eq!(runs, [(4, vec![3, 4, 5])]);
}

#[test]
fn a_clip_that_is_taken_as_a_whole_has_a_bound_on_both_sides_and_one_taken_by_frames_has_none() {
    let shape = |width, height| ClipShape::tight(Format::new(Layout::Mono, Depth::U16), width, height);
    let twin = |work| {
        let (mut kernel, twin) = kernel(work);
        kernel.twins = Box::leak(Box::new([twin]));
        kernel
    };
    let frames = twin(Work::Frame(|_, _| Ok(Plan::new(""))));
    assert_eq!(frames.most_frames(&shape(4000, 3000)), None);
    assert_eq!(frames.refusal_of(&shape(4000, 3000), 1_000_000), None);

    let whole = twin(Work::Clip(|_, _, _| Ok(Plan::new(""))));
    assert_eq!(whole.most_frames(&shape(4000, 3000)), Some(178));
    assert_eq!(whole.most_frames(&shape(64, 48)), Some(MOST_FRAMES));
    assert_eq!(whole.refusal_of(&shape(4000, 3000), 178), None);
    let reason =
        "179 frames of 24000000 bytes each are too many, a clip that is taken as a whole has at most 178 of them";
    assert_eq!(whole.refusal_of(&shape(4000, 3000), 179).as_deref(), Some(reason));
    let error = whole.plans(&whole.twins[0], &shape(4000, 3000), 179).unwrap_err();
    assert!(error.to_string().ends_with(reason), "{error}");

    let many = input(&vec![0; MOST_FRAMES + 1]);
    let refused = |error: KernelError| matches!(error, KernelError::Unsupported { .. });
    assert!(whole.compute(&many).is_err_and(refused));
    let ran = whole.run(&whole.twins[0], &many, "toy", &mut device);
    assert!(matches!(ran, Err(WorkError::Kernel(KernelError::Unsupported { .. }))));
    assert!(whole.compute(&many.slice(0..MOST_FRAMES)).is_ok());
}
