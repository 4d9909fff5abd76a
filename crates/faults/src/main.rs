//! A runner whose kernels are all faulty: each control's broken twin posing as an exact one, twins that take too long, and twins of which one
//! pass is wrong.
//! The tests run it to see that such kernels are never green.

mod staged;

use std::process::ExitCode;

use isobit::execution::Readback;
use isobit::format::{Depth, Format, Layout};
use isobit::frame::{ClipShape, Input};
use isobit::kernel::{Finish, Kernel, KernelError, Metric, MetricKind, NanPolicy, Registry, Twin, Window};
use isobit::options::Options;
use isobit::output::Output;
use isobit::plan::Plan;
use isobit::work::Work;

/// Names the file that tells a test that the slow twin is about to run.
const MARKER: &str = "ISOBIT_FAULTS_MARKER";

fn main() -> ExitCode {
    let controls = isobit_registry::registry().controls;
    let mut kernels = vec![SLOW];
    kernels.extend(staged::KERNELS);
    kernels.extend(controls.iter().filter_map(|control| {
        let broken = control.kernel.twin("broken")?;
        let name = control.kernel.name.trim_start_matches("control_");
        Some(Kernel {
            name: format!("as_kernel_{name}").leak(),
            twins: vec![Twin {
                name: "exact",
                ..*broken
            }]
            .leak(),
            ..control.kernel
        })
    }));
    isobit_runner::main(&Registry {
        kernels: kernels.leak(),
        controls,
    })
}

/// A kernel whose twin keeps a device busy for several seconds, far below any limit on the iterations of one invocation.
const SLOW: Kernel = Kernel {
    name: "slow",
    summary: "Counts to sixty thousand in very many invocations.",
    clips: 1,
    metrics: &[Metric {
        name: "count",
        kind: MetricKind::Score,
        nan: NanPolicy::Never,
    }],
    options: Options::NONE,
    window: Window::FRAME,
    accepts: |format| format == Format::new(Layout::Yuv420, Depth::U8),
    refuses: Kernel::refuses_nothing,
    reference: |input: &Input, _| Ok((0..input.frames()).map(|frame| count(frame, ITERATIONS)).collect()),
    twins: &[Twin {
        name: "exact",
        routes: &[],
        work: Work::Frame(|shape, _| slow_plan(shape)),
        finish: Finish::Frame(|_, _, frame, readback: &Readback| {
            let counts = readback.u32s("counts")?;
            Ok(vec![count(frame, counts.iter().copied().max().unwrap_or_default())])
        }),
        stages: None,
    }],
};

const ITERATIONS: u32 = 60_000;
const GROUPS: u32 = 30_000;

fn count(frame: usize, count: u32) -> Output {
    Output::score("count", frame, f64::from(count))
}

fn slow_plan(_: &ClipShape) -> Result<Plan, KernelError> {
    const WGSL: &str = "
        @group(0) @binding(0) var<uniform> iterations: vec4<u32>;
        @group(0) @binding(1) var<storage, read_write> counts: array<u32>;
        @compute @workgroup_size(64)
        fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
            var n = 0u;
            var state = local + group.x;
            for (var i = 0u; i < iterations.x; i++) {
                // Nothing that a compiler could foresee.
                state = (state ^ (state << 13u)) * 747796405u + i;
                n += select(1u, 1u + (state & 1u), iterations.y == state);
            }
            counts[group.x * 64u + local] = n;
        }";
    if let Some(marker) = std::env::var_os(MARKER) {
        let written = std::fs::write(marker, "");
        written.map_err(|error| KernelError::Unsupported {
            kernel: "slow",
            reason: error.to_string(),
        })?;
    }
    Ok(Plan::new(WGSL)
        .uniform("iterations", &[ITERATIONS, 0, 0, 0])
        .output("counts", u64::from(GROUPS) * 64, 4)
        .dispatch("main", &["iterations", "counts"], GROUPS.into()))
}
