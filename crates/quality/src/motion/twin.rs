//! The exact twin of `motion`: one dispatch, each workgroup leaving the sum of the absolute values of its samples.

use isobit::execution::Readback;
use isobit::frame::{ClipShape, Input, PlaneShape};
use isobit::kernel::KernelError;
use isobit::output::Values;
use isobit::plan::Plan;
use isobit::stage::Stage;

use super::reference::each_row;
use super::settings::Settings;
use crate::planes;

/// Samples of a row that an invocation takes, one after the other: `RUN` of the shader.
const RUN: u32 = 16;
/// Runs that a workgroup takes: `INVOCATIONS` of the shader.
const INVOCATIONS: u32 = 16;

/// The plan of kernel `kernel`, which is this or another that is computed from the same sums.
pub(crate) fn plan(kernel: &'static str, shape: &ClipShape, settings: &Settings) -> Result<Plan, KernelError> {
    let luma = &shape.planes[0];
    let workgroups = runs(luma).div_ceil(u64::from(INVOCATIONS));
    Ok(Plan::new(planes::module(kernel, include_str!("twin.wgsl"))?)
        .earlier("previous", 0, 0, settings.back(), luma.bytes())
        .input("current", 0, 0, luma.bytes())
        .uniform("plane", &planes::uniform(kernel, luma, shape.format.depth)?)
        .output("sad", workgroups, 4)
        .dispatch("sad", &["previous", "current", "plane", "sad"], workgroups))
}

/// The runs of a plane, the last of a row cut short where the width says so.
fn runs(luma: &PlaneShape) -> u64 {
    u64::from(luma.width.div_ceil(RUN)) * u64::from(luma.height)
}

/// The sum of absolute differences of every frame.
pub(crate) fn left(readbacks: &[Readback]) -> Result<Vec<u64>, KernelError> {
    let sum = |readback: &Readback| -> Result<u64, KernelError> {
        Ok(readback.u32s("sad")?.into_iter().map(u64::from).sum())
    };
    readbacks.iter().map(sum).collect()
}

/// What each workgroup leaves.
pub(crate) fn stages(input: &Input, frame: usize, settings: &Settings) -> Vec<Stage> {
    let luma = |frame| input.plane(0, frame, 0);
    let previous = luma(frame.saturating_sub(settings.back()));
    let bits = input.shape().format.depth.bits();
    let mut runs: Vec<u32> = Vec::new();
    each_row(previous, luma(frame), bits, |row| {
        let run = |run: &[i32]| run.iter().map(|value| value.unsigned_abs()).sum::<u32>();
        runs.extend(row.chunks(RUN as usize).map(run));
    });
    let workgroups = runs.chunks(INVOCATIONS as usize).map(|runs| runs.iter().sum());
    vec![Stage::new("sad", "sad", 1, Values::U32(workgroups.collect()))]
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};

    use super::*;
    use crate::motion::sads;

    fn readback(values: &Values) -> Readback {
        Readback {
            buffers: [("sad".to_owned(), values.to_le_bytes())].into(),
        }
    }

    #[test]
    fn sums_of_workgroups_add_up_in_64_bits() {
        let sums = Values::U32(vec![u32::MAX, u32::MAX, 7]);
        let expected = 2 * u64::from(u32::MAX) + 7;
        assert_eq!(
            left(&[readback(&sums), readback(&Values::U32(vec![3]))]).unwrap(),
            [expected, 3]
        );
        assert!(left(&[Readback::default()]).is_err());
    }

    #[test]
    fn the_stage_is_what_the_plan_leaves_and_adds_up_to_the_sum() {
        let fixture = isobit_fixtures::named("noise").unwrap();
        let input = fixture.input(Format::new(Layout::Yuv420, Depth::U16), 2).unwrap();
        for five_frame_window in [false, true] {
            let settings = Settings {
                five_frame_window,
                ..Settings::DEFAULT
            };
            let plan = plan("motion", input.shape(), &settings).unwrap();
            let [stage] = &stages(&input, 2, &settings)[..] else {
                panic!("one stage");
            };
            assert_eq!(plan.buffers["sad"].bytes, 4 * stage.values.len() as u64);
            assert_eq!(left(&[readback(&stage.values)]).unwrap()[0], sads(&input, &settings)[2]);
        }
    }

    #[test]
    fn the_shader_divides_a_plane_as_the_plan_does() {
        let source = include_str!("twin.wgsl");
        for (name, value) in [("RUN", RUN), ("INVOCATIONS", INVOCATIONS)] {
            assert!(source.contains(&format!("const {name}: u32 = {value}u;")), "{name}");
        }
    }
}
