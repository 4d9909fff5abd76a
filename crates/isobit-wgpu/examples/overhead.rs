//! Measures what a frame costs beyond its kernel: `cargo run --release -p isobit-wgpu --example overhead`, with the
//! environment of one driver set. Other sizes of the 16-bit plane are given as `-- WIDTH HEIGHT`.

use std::time::{Duration, Instant};

use isobit::execution::{AdapterRequest, Backend, DeviceKind, ExecutionError};
use isobit::format::{Depth, Format, Layout};
use isobit::frame::{Clip, ClipShape, Frame, Input, Plane};
use isobit::plan::Plan;
use isobit_wgpu::Executor;

const COPY: &str = "
    @group(0) @binding(0) var<storage, read> source: array<u32>;
    @group(0) @binding(1) var<storage, read_write> copied: array<u32>;
    @compute @workgroup_size(64) fn copy(@builtin(global_invocation_id) id: vec3<u32>) { copied[id.x] = source[id.x]; }";

const FRAMES: usize = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let request = AdapterRequest {
        backend: Backend::Vulkan,
        kinds: vec![DeviceKind::Cpu, DeviceKind::Discrete, DeviceKind::Integrated],
        name: "*".to_owned(),
        driver: "*".to_owned(),
    };
    let started = Instant::now();
    let mut executor = Executor::open(&request)?;
    println!("{}: opened in {:.1} ms", executor.adapter().name, milliseconds(started));

    let sides = std::env::args()
        .skip(1)
        .map(|side| side.parse())
        .collect::<Result<Vec<u32>, _>>()?;
    let [width, height] = sides[..].try_into().unwrap_or([358, 354]);
    let shape = ClipShape::tight(Format::new(Layout::Mono, Depth::U16), width, height);
    let plane = Plane::new(shape.planes[0], Depth::U16, vec![7; shape.frame_bytes()])?;
    let frames = vec![Frame { planes: vec![plane] }; FRAMES];
    let input = Input::new(vec![Clip::new(shape.clone(), frames)?])?;
    let bytes = shape.frame_bytes();
    let plan = Plan::new(COPY)
        .input("in", 0, 0, bytes)
        .output("out", bytes as u64 / 2, 2)
        .dispatch("copy", &["in", "out"], (bytes as u64 / 4).div_ceil(64));
    let mut run = || -> Result<f64, ExecutionError> {
        let started = Instant::now();
        executor.run(&plan, &input, Duration::from_secs(10))?;
        Ok(milliseconds(started))
    };
    println!("first call of {FRAMES} frames: {:.1} ms", run()?);
    let mut times = (0..10).map(|_| run()).collect::<Result<Vec<_>, _>>()?;
    times.sort_by(f64::total_cmp);
    println!(
        "a frame of {width}x{height}, run twice: {:.2} ms",
        times[times.len() / 2] / FRAMES as f64
    );
    Ok(())
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
