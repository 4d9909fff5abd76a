//! Shows which passes the time of a twin goes to, on the adapter that the loader shows first. Dispatches whose labels differ in
//! numbers only are one line.
//!
//! ```text
//! cargo run --release -p isobit-parity --example passes -- stack exact mono-16 1024x1024 --frames 8
//! ```

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::Parser;
use isobit::execution::{AdapterRequest, Backend, DeviceKind};
use isobit::format::Format;
use isobit::frame::{Clip, ClipShape, Frame, Input, Plane, PlaneShape};
use isobit::work::Work;
use isobit_fixtures::clip::parse_size;
use isobit_wgpu::Executor;

const LIMIT: Duration = Duration::from_secs(300);
const ROUNDS: usize = 3;

/// Shows which passes the time of a twin goes to
#[derive(Parser)]
#[command(name = "passes")]
struct Args {
    /// Name of the kernel
    kernel: String,
    /// Name of its twin
    twin: String,
    /// Layout and depth, such as `mono-16`
    format: Format,
    /// Columns and rows of a frame, such as `1024x1024`
    size: String,
    /// Frames of the clip
    #[arg(long, default_value_t = 1)]
    frames: usize,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let kernel = (isobit_registry::registry().kernel(&args.kernel))
        .with_context(|| format!("there is no kernel `{}`\nhint: cargo xtask parity --list", args.kernel))?;
    let twin = (kernel.twin(&args.twin))
        .with_context(|| format!("`{}` has no twin `{}`\nhint: exact or native", kernel.name, args.twin))?;
    let (width, height) = parse_size(&args.size)?;
    let shape = ClipShape::tight(args.format, width, height);
    let clips = (0..kernel.clips).map(|_| noise(&shape, args.frames));
    let input = Input::new(clips.collect::<Result<_>>()?)?;
    let input = match twin.work {
        Work::Clip(_) => input.spread(),
        Work::Frame(_) | Work::Steps(_) => input,
    };

    let mut executor = Executor::open(&AdapterRequest {
        backend: Backend::Vulkan,
        kinds: vec![DeviceKind::Cpu, DeviceKind::Discrete, DeviceKind::Integrated],
        name: "*".to_owned(),
        driver: "*".to_owned(),
    })?;
    println!("{} of {} on {}", twin.name, kernel.name, executor.adapter().name);
    for plan in kernel.plans(twin, &shape, args.frames)? {
        let mut groups: BTreeMap<String, (usize, Duration)> = BTreeMap::new();
        for (label, time) in executor.passes(&plan, &input, ROUNDS, LIMIT)? {
            let name = label.trim_matches(|c: char| c.is_ascii_digit() || c == '_');
            let group = groups.entry(name.to_owned()).or_default();
            *group = (group.0 + 1, group.1 + time);
        }
        let total: Duration = groups.values().map(|(_, time)| *time).sum();
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(_, (_, time))| std::cmp::Reverse(*time));
        for (name, (count, time)) in groups {
            let share = 100.0 * time.as_secs_f64() / total.as_secs_f64();
            println!("{:10.3} ms {share:5.1} % {count:5} × {name}", time.as_secs_f64() * 1e3);
        }
        println!("{:10.3} ms together", total.as_secs_f64() * 1e3);
    }
    Ok(())
}

/// A clip with noise in every sample, another in each frame.
fn noise(shape: &ClipShape, frames: usize) -> Result<Clip> {
    let mut state = 1_u64;
    let mut byte = || {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        // A float whose top byte is below 64 is finite and below 2.
        (state >> 58) as u8
    };
    let mut plane = |plane: &PlaneShape| {
        let bytes = (0..plane.bytes()).map(|_| byte()).collect();
        Plane::new(*plane, shape.format.depth, bytes)
    };
    let mut all = Vec::new();
    for _ in 0..frames {
        let planes = shape.planes.iter().map(&mut plane).collect::<Result<_, _>>()?;
        all.push(Frame { planes });
    }
    Ok(Clip::new(shape.clone(), all)?)
}
