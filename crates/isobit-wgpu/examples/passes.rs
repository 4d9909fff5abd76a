//! Shows which passes the time of a twin goes to: `cargo run --release -p isobit-wgpu --example passes -- KERNEL TWIN FORMAT
//! WIDTH HEIGHT FRAMES`, with the environment of one driver set. Dispatches whose labels differ in numbers only are one line.

use std::collections::BTreeMap;
use std::time::Duration;

use isobit::execution::{AdapterRequest, Backend, DeviceKind};
use isobit::frame::{Clip, ClipShape, Frame, Input, Plane, PlaneShape};
use isobit::work::Work;
use isobit_wgpu::Executor;

const LIMIT: Duration = Duration::from_secs(300);
const ROUNDS: usize = 3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kernel, twin, format, width, height, frames] = &arguments[..] else {
        return Err("six arguments are wanted: KERNEL TWIN FORMAT WIDTH HEIGHT FRAMES".into());
    };
    let registry = isobit_registry::registry();
    let kernel = registry.kernel(kernel).ok_or("there is no such kernel")?;
    let twin = kernel.twin(twin).ok_or("the kernel has no such twin")?;
    let shape = ClipShape::tight(format.parse()?, width.parse()?, height.parse()?);
    let frames: usize = frames.parse()?;

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
    let mut clip = || -> Result<Clip, Box<dyn std::error::Error>> {
        let mut all = Vec::new();
        for _ in 0..frames {
            let planes = shape.planes.iter().map(&mut plane).collect::<Result<_, _>>()?;
            all.push(Frame { planes });
        }
        Ok(Clip::new(shape.clone(), all)?)
    };
    let input = Input::new((0..kernel.clips).map(|_| clip()).collect::<Result<_, _>>()?)?;
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
    for plan in kernel.plans(twin, &shape, frames)? {
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
