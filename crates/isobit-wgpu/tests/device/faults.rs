//! Each way to misuse memory is found, and is called by its name.

use isobit::execution::FaultKind::{GuardAfter, Unstable, Untouched};
use isobit::format::Depth;
use isobit::plan::Plan;
use isobit_wgpu::Executor;

use crate::harness::{LIMIT, device_test, mono, nothing, run, summary};

/// Fills `limits.x` words from `limits.y` on, which may wrap around below zero.
const FILL: &str = "
    @group(0) @binding(0) var<storage, read_write> filled: array<u32>;
    @group(0) @binding(1) var<uniform> limits: vec4<u32>;
    @compute @workgroup_size(64) fn fill(@builtin(global_invocation_id) id: vec3<u32>) {
        if id.x < limits.x { filled[id.x + limits.y] = id.x; }
        if id.x < limits.z { filled[id.x] = id.x; }
    }";

/// Words before `words` are filled in any case; `count` more from `first` on.
fn fill(words: u32, count: u32, first: i32) -> Plan {
    Plan::new(FILL)
        .output("out", 100, 4)
        .uniform("limits", &[count, first as u32, words, 0])
        .dispatch("fill", &["out", "limits"], 2)
}

device_test!(elements_never_written_are_counted, |request| {
    let execution = run(request, &fill(99, 0, 0), &nothing());
    assert_eq!(summary(&execution.faults), [(Untouched, "out", 1, 99)]);
    let execution = run(request, &fill(0, 40, 20), &nothing());
    assert_eq!(summary(&execution.faults), [(Untouched, "out", 60, 0)]);
});

device_test!(a_write_past_the_end_is_found, |request| {
    let execution = run(request, &fill(100, 1, 100), &nothing());
    assert_eq!(summary(&execution.faults), [(GuardAfter, "out", 4, 0)]);
    let execution = run(request, &fill(100, 3, 1120), &nothing());
    assert_eq!(summary(&execution.faults), [(GuardAfter, "out", 12, 4080)]);
});

device_test!(a_wild_index_meets_the_check_of_its_driver, |request| {
    // lavapipe has `robustBufferAccess2` and discards what lies beyond the binding. For SwiftShader, naga clamps the index to
    // the last word of the binding, which is the last of the guard zone.
    let expected: &[_] = if request.driver == "llvmpipe" {
        &[]
    } else {
        &[(GuardAfter, "out", 4, 4092)]
    };
    for first in [-1, 5_000, 100_000_000] {
        let execution = run(request, &fill(100, 1, first), &nothing());
        assert_eq!(summary(&execution.faults), expected, "index {first}");
    }
});

device_test!(guard_zones_of_scratch_are_watched_too, |request| {
    let plan = Plan::new(format!(
        "{FILL}
        @compute @workgroup_size(1) fn finish() {{ filled[0] = limits.w; }}"
    ))
    .scratch("tmp", 10, 4)
    .output("out", 1, 4)
    .uniform("limits", &[11, 0, 0, 7])
    .dispatch("fill", &["tmp", "limits"], 1)
    .dispatch("finish", &["out", "limits"], 1);
    let execution = run(request, &plan, &nothing());
    assert_eq!(summary(&execution.faults), [(GuardAfter, "tmp", 4, 0)]);
});

device_test!(an_accumulator_that_nobody_cleared_is_unstable, |request| {
    let wgsl = "
        @group(0) @binding(0) var<storage, read_write> sums: array<atomic<u32>>;
        @compute @workgroup_size(32) fn count() { atomicAdd(&sums[0], 1u); }";
    let plan = Plan::new(wgsl).output("sums", 1, 4);
    let execution = run(request, &plan.clone().dispatch("count", &["sums"], 2), &nothing());
    assert_eq!(summary(&execution.faults), [(Unstable, "sums", 1, 0)]);
    let execution = run(request, &plan.clear("sums").dispatch("count", &["sums"], 2), &nothing());
    assert_eq!(summary(&execution.faults), []);
    assert_eq!(execution.frames[0].u32s("sums").unwrap(), [64]);
});

/// Copies words without regard for where the input ends.
const COPY: &str = "
    @group(0) @binding(0) var<storage, read> source: array<u32>;
    @group(0) @binding(1) var<storage, read_write> copied: array<u32>;
    @compute @workgroup_size(1) fn copy(@builtin(global_invocation_id) id: vec3<u32>) { copied[id.x] = source[id.x]; }";

device_test!(a_read_past_the_end_is_unstable, |request| {
    let plan = Plan::new(COPY)
        .input("in", 0, 0, 8)
        .output("out", 5, 4)
        .dispatch("copy", &["in", "out"], 5);
    let execution = run(request, &plan, &mono(Depth::U8, 8, 1, 0, 1));
    let found = summary(&execution.faults);
    // What is read there is the poison itself, or, by drivers that look no further than the binding, its last word.
    assert!(
        matches!(found[..], [(Untouched | Unstable, "out", 3, 2)] | [_, _]),
        "{found:?}"
    );
});

device_test!(the_bytes_behind_a_ragged_input_are_garbage, |request| {
    let plan = Plan::new(COPY)
        .input("in", 0, 0, 6)
        .output("out", 4, 2)
        .dispatch("copy", &["in", "out"], 2);
    let execution = run(request, &plan, &mono(Depth::U8, 6, 1, 0, 2));
    let faults: Vec<_> = execution
        .faults
        .iter()
        .map(|fault| (fault.frame, fault.count, fault.first))
        .collect();
    assert_eq!(faults, [(0, 1, 3), (1, 1, 3)]);
});

device_test!(dependence_on_the_order_of_slices_is_unstable, |request| {
    let wgsl = "
        @group(1) @binding(0) var<uniform> isobit_grid: vec4<u32>;
        @group(0) @binding(0) var<storage, read_write> last: array<u32>;
        @compute @workgroup_size(1) fn race(@builtin(workgroup_id) id: vec3<u32>) { last[0] = id.x + isobit_grid.x; }";
    let plan = Plan::new(wgsl).output("last", 1, 4).dispatch("race", &["last"], 8);
    let execution = Executor::open(request)
        .unwrap()
        .with_slices_of(1)
        .run(&plan, &nothing(), LIMIT)
        .unwrap();
    assert_eq!(summary(&execution.faults), [(Unstable, "last", 1, 0)]);
    assert_eq!(
        execution.frames[0].u32s("last").unwrap(),
        [7],
        "what is returned is the first run, in order"
    );
});
