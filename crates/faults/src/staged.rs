//! Kernels of two passes, one of which is broken: the report must name that pass, and no later one.

use isobit::execution::Readback;
use isobit::format::{Depth, Format, Layout};
use isobit::frame::{ClipShape, Input};
use isobit::kernel::{Finish, Kernel, KernelError, Metric, MetricKind, NanPolicy, Twin, Window};
use isobit::options::Options;
use isobit::output::{Output, Values};
use isobit::plan::Plan;
use isobit::stage::Stage;
use isobit::work::Work;

const WGSL: &str = "
    @group(0) @binding(0) var<uniform> fault: vec4<u32>;
    @group(0) @binding(1) var<storage, read_write> numbers: array<u32>;
    @group(0) @binding(2) var<storage, read_write> squares: array<u32>;

    @compute @workgroup_size(1)
    fn count(@builtin(workgroup_id) group: vec3<u32>) {
        numbers[group.x] = group.x + select(0u, 1u, group.x == fault.x);
    }

    @compute @workgroup_size(1)
    fn square(@builtin(workgroup_id) group: vec3<u32>) {
        squares[group.x] = numbers[group.x] * numbers[group.x] + select(0u, 1u, group.x == fault.y);
    }
";

/// Elements of each stage, as rows of [`WIDTH`].
const COUNT: u32 = 12;
const WIDTH: u32 = 4;
/// No element.
const NONE: u32 = u32::MAX;

/// A kernel whose first pass is wrong in element 6, and one whose second is.
pub const KERNELS: [Kernel; 2] = [kernel::<6, NONE>("staged_first"), kernel::<NONE, 6>("staged_second")];

const fn kernel<const FIRST: u32, const SECOND: u32>(name: &'static str) -> Kernel {
    Kernel {
        name,
        summary: "The squares of the first numbers.",
        clips: 1,
        metrics: &[Metric {
            name: "squares",
            kind: MetricKind::Plane(None),
            nan: NanPolicy::Never,
        }],
        options: Options::NONE,
        window: Window::FRAME,
        accepts: |format| format == Format::new(Layout::Yuv420, Depth::U8),
        refuses: Kernel::refuses_nothing,
        reference: |input, _| Ok((0..input.frames()).map(|frame| output(frame, squares())).collect()),
        twins: &[Twin {
            name: "exact",
            routes: &[],
            work: Work::Frame(|_, _| Ok(plan(FIRST, SECOND))),
            finish: Finish::Frame(finish),
            stages: Some(stages),
        }],
    }
}

fn plan(first: u32, second: u32) -> Plan {
    Plan::new(WGSL)
        .uniform("fault", &[first, second, 0, 0])
        .scratch("numbers", COUNT.into(), 4)
        .output("squares", COUNT.into(), 4)
        .dispatch("count", &["fault", "numbers"], COUNT.into())
        .dispatch("square", &["fault", "numbers", "squares"], COUNT.into())
}

fn squares() -> Vec<u32> {
    (0..COUNT).map(|n| n * n).collect()
}

fn output(frame: usize, squares: Vec<u32>) -> Output {
    Output {
        metric: "squares",
        frame,
        plane: 0,
        width: WIDTH,
        height: COUNT / WIDTH,
        values: Values::U32(squares),
    }
}

fn finish(_: &ClipShape, _: &Options, frame: usize, readback: &Readback) -> Result<Vec<Output>, KernelError> {
    Ok(vec![output(frame, readback.u32s("squares")?)])
}

fn stages(_: &Input, _: &Options, _: usize) -> Result<Vec<Stage>, KernelError> {
    let stage = |label, buffer, values| Stage::new(label, buffer, WIDTH, Values::U32(values));
    Ok(vec![
        stage("count", "numbers", (0..COUNT).collect()),
        stage("square", "squares", squares()),
    ])
}
