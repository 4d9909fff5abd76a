//! Declares tests that run on each driver, and makes inputs.

use std::time::Duration;

use isobit::execution::{AdapterRequest, BufferFault, Execution, FaultKind};
use isobit::format::{Depth, Format, Layout};
use isobit::frame::{Clip, ClipShape, Frame, Input, Plane};
use isobit::plan::Plan;
use isobit_wgpu::Executor;

/// Long enough for a slow machine to compile a small shader.
pub const LIMIT: Duration = Duration::from_secs(30);

/// Declares a test that gets the request for the adapter of each driver in turn.
macro_rules! device_test {
    ($name:ident, $body:expr) => {
        #[test]
        fn $name() {
            $crate::harness::on_each_driver(concat!(module_path!(), "::", stringify!($name)), $body);
        }
    };
}
pub(crate) use device_test;

/// Runs `body` on each driver. `path` is the test's own path.
pub fn on_each_driver(path: &str, body: fn(&AdapterRequest)) {
    let (_, test) = path.split_once("::").unwrap();
    isobit_testing::on_each_driver(test, body);
}

/// A mono clip whose every stored byte, padding included, is a function of its position and its frame.
pub fn mono(depth: Depth, width: u32, height: u32, padding: usize, frames: usize) -> Input {
    let shape = ClipShape::padded(Format::new(Layout::Mono, depth), width, height, padding);
    let frame = |frame: usize| {
        let bytes = (0..shape.frame_bytes())
            .map(|i| (i * 7 + frame * 13 + 1) as u8)
            .collect();
        let plane = Plane::new(shape.planes[0], depth, bytes).unwrap();
        Frame { planes: vec![plane] }
    };
    let clip = Clip::new(shape.clone(), (0..frames).map(frame).collect()).unwrap();
    Input::new(vec![clip]).unwrap()
}

/// One frame of four bytes, for plans that need no input.
pub fn nothing() -> Input {
    mono(Depth::U8, 4, 1, 0, 1)
}

/// Runs `plan`, which must come to its end.
pub fn run(request: &AdapterRequest, plan: &Plan, input: &Input) -> Execution {
    Executor::open(request).unwrap().run(plan, input, LIMIT).unwrap()
}

/// Kind, buffer, count and first of each fault.
pub fn summary(faults: &[BufferFault]) -> Vec<(FaultKind, &str, u64, u64)> {
    faults
        .iter()
        .map(|fault| (fault.kind, fault.buffer.as_str(), fault.count, fault.first))
        .collect()
}
