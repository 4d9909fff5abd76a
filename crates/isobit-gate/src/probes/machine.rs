//! Probes of memory and control flow: a round trip, a reduction across barriers, a long loop.

use isobit::execution::Readback;
use isobit::format::{Depth, Format, Layout};
use isobit::frame::{Clip, ClipShape, Frame, Input, Plane};
use isobit::plan::Plan;

use super::Set;
use crate::report::ProbeReport;

/// Bytes that make the round trip.
pub(super) const BYTES: u32 = 1 << 16;
/// Workgroups that each sum up.
pub(super) const GROUPS: u32 = 256;
/// The sum of 1 to 64.
pub(super) const SUM: u32 = 2080;
/// Iterations of the loop; lavapipe of Mesa 22.3 silently ends the loops of an invocation after 65,535.
pub(super) const ROUNDS: u32 = 70_000;

/// The probes of this module.
pub(super) fn set() -> Set {
    let plan = Plan::new(include_str!("machine.wgsl"))
        .input("sent", 0, 0, BYTES as usize)
        .output("returned", BYTES.into(), 1)
        .output("sums", GROUPS.into(), 4)
        .output("rounds", 1, 4)
        .uniform("limit", &[ROUNDS, 0, 0, 0])
        .dispatch("echo", &["sent", "returned"], u64::from(BYTES) / 256)
        .dispatch("reduce", &[], GROUPS.into())
        .dispatch("count", &[], 1);
    Set {
        plan: bind(plan),
        input: input(),
        names: &["read-back", "reduction", "loop"],
        judge,
    }
}

/// The bindings of the entry points that do not begin at 0.
fn bind(mut plan: Plan) -> Plan {
    for step in &mut plan.steps {
        if let isobit::plan::Step::Dispatch(dispatch) = step {
            let bindings: &[(u32, &str)] = match dispatch.entry.as_str() {
                "reduce" => &[(2, "sums")],
                "count" => &[(3, "rounds"), (4, "limit")],
                _ => continue,
            };
            dispatch.bindings = bindings.iter().map(|&(at, name)| (at, name.to_owned())).collect();
        }
    }
    plan
}

/// A pattern in which every byte value occurs at every place of a word.
pub(super) fn pattern() -> Vec<u8> {
    (0..BYTES).map(|i| (i ^ (i >> 8)) as u8).collect()
}

fn input() -> Input {
    let shape = ClipShape::tight(Format::new(Layout::Mono, Depth::U8), BYTES / 64, 64);
    let plane = Plane::new(shape.planes[0], Depth::U8, pattern());
    let clip = plane.and_then(|plane| Clip::new(shape, vec![Frame { planes: vec![plane] }]));
    match clip.map(|clip| Input::new(vec![clip])) {
        Ok(Ok(input)) => input,
        _ => unreachable!("the pattern has the bytes of its own shape"),
    }
}

fn judge(readback: &Readback) -> Result<Vec<ProbeReport>, String> {
    let words = |name: &str| readback.u32s(name).map_err(|error| error.to_string());
    let returned = readback.u8s("returned").map_err(|error| error.to_string())?;
    let sums = words("sums")?;
    let rounds = words("rounds")?;

    let lost = returned
        .iter()
        .zip(pattern())
        .filter(|(found, sent)| *found != sent)
        .count();
    let round_trip = match lost {
        0 if returned.len() == BYTES as usize => (format!("{BYTES} bytes came back as they were sent"), false),
        0 => (format!("{} bytes came back, {BYTES} were sent", returned.len()), true),
        lost => (format!("{lost} of {BYTES} bytes came back changed"), true),
    };
    let wrong: Vec<_> = sums.iter().filter(|&&sum| sum != SUM).collect();
    let reduction = match wrong.first() {
        None if sums.len() == GROUPS as usize => {
            (format!("a sum across barriers is right in {GROUPS} workgroups"), false)
        }
        None => (format!("{} of {GROUPS} sums came back", sums.len()), true),
        Some(first) => (
            format!(
                "a sum across barriers is wrong in {} of {GROUPS} workgroups: {first}, not {SUM}",
                wrong.len()
            ),
            true,
        ),
    };
    // Kernels stay far below this bound: a loop that ends early is worth knowing, not the end of the lane.
    let long_loop = match rounds[..] {
        [ROUNDS] => (format!("runs its {ROUNDS} iterations"), false),
        [rounds] => (format!("loops end after {rounds} iterations, silently"), false),
        _ => ("the count of iterations did not come back".to_owned(), true),
    };
    let report = |(name, (finding, broken)): (&str, (String, bool))| ProbeReport {
        name: name.to_owned(),
        finding,
        broken,
    };
    Ok(
        [("read-back", round_trip), ("reduction", reduction), ("loop", long_loop)]
            .into_iter()
            .map(report)
            .collect(),
    )
}
