//! Errors end where they should, say what happened, and leave the executor as they promise.

use std::time::Duration;

use isobit::execution::ExecutionError;
use isobit::plan::Plan;
use isobit_wgpu::Executor;

use crate::harness::{LIMIT, device_test, nothing};

const COUNT: &str = "
    @group(0) @binding(0) var<storage, read_write> out: array<u32>;
    @group(0) @binding(1) var<uniform> rounds: vec4<u32>;
    @compute @workgroup_size(64) fn count(@builtin(global_invocation_id) id: vec3<u32>) {
        var state = id.x;
        for (var i = 0u; i < rounds.x; i++) { state = state * 1664525u + 1013904223u; }
        out[id.x % 64u] = state;
    }";

fn count(rounds: u32, workgroups: u64) -> Plan {
    Plan::new(COUNT)
        .output("out", 64, 4)
        .uniform("rounds", &[rounds, 0, 0, 0])
        .dispatch("count", &["out", "rounds"], workgroups)
}

device_test!(endless_work_times_out_and_ends_the_executor, |request| {
    let mut executor = Executor::open(request).unwrap();
    assert!(executor.run(&count(10, 1), &nothing(), LIMIT).is_ok());
    // A driver may end a loop early; no driver ends this many in time.
    let endless = count(60_000, 65_535);
    let timeout = ExecutionError::Timeout { seconds: 1 };
    let error = executor
        .run(&endless, &nothing(), Duration::from_millis(300))
        .unwrap_err();
    assert_eq!(error, timeout);
    assert_eq!(executor.run(&count(10, 1), &nothing(), LIMIT), Err(timeout));
    drop(executor);
    // The ordinary end of a process would wait for the driver's threads.
    println!("1 passed");
    std::process::exit(0);
});

device_test!(an_error_of_the_plan_leaves_the_device_usable, |request| {
    let mut executor = Executor::open(request).unwrap();
    let broken = count(10, 1);
    let mut invalid = broken.clone();
    invalid.modules.get_mut("main").unwrap().wgsl = "fn broken( {".to_owned();
    let errors = [
        executor.run(&invalid, &nothing(), LIMIT).unwrap_err(),
        executor.run(&count(10, 0), &nothing(), LIMIT).unwrap_err(),
        executor
            .run(&broken.clone().scratch("huge", 1 << 38, 4), &nothing(), LIMIT)
            .unwrap_err(),
    ];
    assert!(
        matches!(errors[0], ExecutionError::InvalidModule { .. }),
        "{}",
        errors[0]
    );
    assert!(matches!(errors[1], ExecutionError::InvalidPlan { .. }), "{}", errors[1]);
    assert!(
        matches!(errors[2], ExecutionError::Limit { needed, .. } if needed > 1 << 40),
        "{}",
        errors[2]
    );
    assert!(executor.run(&broken, &nothing(), LIMIT).is_ok());
});

device_test!(what_the_api_reports_is_an_error_and_ends_the_executor, |request| {
    let mut executor = Executor::open(request).unwrap();
    // A binding number that WGSL allows and no device of this API does; no static check knows that bound.
    let mut odd = count(10, 1);
    let wgsl = &mut odd.modules.get_mut("main").unwrap().wgsl;
    *wgsl = wgsl.replace("@binding(1)", "@binding(70000)");
    if let Some(isobit::plan::Step::Dispatch(dispatch)) = odd.steps.last_mut() {
        let name = dispatch.bindings.remove(&1).unwrap();
        dispatch.bindings.insert(70_000, name);
    }
    let error = executor.run(&odd, &nothing(), LIMIT).unwrap_err();
    assert!(
        matches!(&error, ExecutionError::Validation { message } if message.contains("70000")),
        "{error}"
    );
    assert_eq!(executor.run(&count(10, 1), &nothing(), LIMIT), Err(error));
});

device_test!(workgroups_stay_within_the_device, |request| {
    let mut executor = Executor::open(request).unwrap();
    let most = executor.adapter().limits["max_compute_invocations_per_workgroup"];
    let memory = executor.adapter().limits["max_compute_workgroup_storage_size"];
    let wgsl = |lanes: u64, bytes: u64| {
        format!(
            "@group(0) @binding(0) var<storage, read_write> out: array<u32>;
            var<workgroup> shared_: array<u32, {}>;
            @compute @workgroup_size({lanes}) fn main(@builtin(local_invocation_index) i: u32) {{
                shared_[i] = i;
                workgroupBarrier();
                if i == 0u {{ out[0] = shared_[{}]; }}
            }}",
            bytes / 4,
            lanes - 1
        )
    };
    let mut run = |lanes, bytes| {
        let plan = Plan::new(wgsl(lanes, bytes))
            .output("out", 1, 4)
            .dispatch("main", &["out"], 1);
        executor
            .run(&plan, &nothing(), LIMIT)
            .map(|execution| execution.frames[0].u32s("out").unwrap())
    };
    let limit = |needed, offered, what: &str| {
        Err(ExecutionError::Limit {
            what: format!("{what} of dispatch `main`"),
            needed,
            offered,
        })
    };
    assert_eq!(run(most + 1, memory), limit(most + 1, most, "the workgroup's width"));
    assert_eq!(
        run(64, memory + 4),
        limit(memory + 4, memory, "the workgroup memory in bytes")
    );
    // No more memory than the invocations need: lavapipe takes seconds to compile the zeroing of the whole.
    assert_eq!(run(most, most * 4), Ok(vec![most as u32 - 1]));
});

device_test!(another_adapter_is_refused_with_its_reason, |request| {
    let mut other = request.clone();
    other.name = "Quantum*".to_owned();
    let Err(ExecutionError::NoAdapter { found }) = Executor::open(&other) else {
        panic!("an adapter of that name was opened");
    };
    assert!(
        found.iter().any(|reason| reason.contains("does not match `Quantum*`")),
        "{found:?}"
    );
    let mut other = request.clone();
    other.kinds = vec![isobit::execution::DeviceKind::Discrete];
    assert!(matches!(Executor::open(&other), Err(ExecutionError::NoAdapter { .. })));
});
