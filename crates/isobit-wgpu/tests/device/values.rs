//! Values that come back as they should, without a fault.

use std::collections::BTreeMap;

use isobit::format::Depth;
use isobit::plan::{Dispatch, Plan, Step};
use isobit_wgpu::Executor;

use crate::harness::{LIMIT, device_test, mono, nothing, run};

/// Copies `words` words; the bytes of `tail` of the last one, the rest set to zero.
const COPY: &str = "
    @group(0) @binding(0) var<storage, read> source: array<u32>;
    @group(0) @binding(1) var<storage, read_write> copied: array<u32>;
    @group(0) @binding(2) var<uniform> size: vec4<u32>;
    @compute @workgroup_size(64) fn copy(@builtin(global_invocation_id) id: vec3<u32>) {
        if id.x >= size.x { return; }
        var word = source[id.x];
        if id.x == size.x - 1u { word &= size.y; }
        copied[id.x] = word;
    }";

device_test!(stored_bytes_make_the_round_trip, |request| {
    let mut executor = Executor::open(request).unwrap();
    for (depth, width, height, padding) in [
        (Depth::U8, 1, 1, 0),
        (Depth::U8, 5, 3, 2),
        (Depth::U10, 7, 5, 3),
        (Depth::U16, 357, 353, 1),
        (Depth::F32, 3, 2, 0),
    ] {
        let input = mono(depth, width, height, padding, 3);
        let bytes = input.shape().frame_bytes();
        let words = bytes.div_ceil(4) as u32;
        let tail = [u32::MAX, 0xFF, 0xFFFF, 0xFF_FFFF][bytes % 4];
        let plan = Plan::new(COPY)
            .input("in", 0, 0, bytes)
            .output("out", bytes as u64, 1)
            .uniform("size", &[words, tail, 0, 0])
            .dispatch("copy", &["in", "out", "size"], u64::from(words).div_ceil(64));
        let execution = executor.run(&plan, &input, LIMIT).unwrap();
        assert_eq!(execution.faults, []);
        assert_eq!(execution.frames.len(), 3);
        for (frame, readback) in execution.frames.iter().enumerate() {
            let stored = input.plane(0, frame, 0).bytes();
            assert!(
                readback.buffers["out"][..bytes] == *stored,
                "frame {frame} of {depth} {width}x{height}"
            );
            assert!(readback.buffers["out"][bytes..].iter().all(|&byte| byte == 0));
        }
    }
});

/// Each workgroup writes its number and the size of the grid.
const GROUPS: &str = "
    @group(1) @binding(0) var<uniform> isobit_grid: vec4<u32>;
    @group(0) @binding(0) var<storage, read_write> seen: array<vec2<u32>>;
    @compute @workgroup_size(1) fn number(@builtin(workgroup_id) id: vec3<u32>) {
        let group = id.x + isobit_grid.x;
        seen[group] = vec2(group * 3u, isobit_grid.y);
    }";

fn groups(count: u64) -> (Plan, Vec<u32>) {
    let plan = Plan::new(GROUPS)
        .output("seen", count * 2, 4)
        .dispatch("number", &["seen"], count);
    let expected = (0..count as u32).flat_map(|group| [group * 3, count as u32]).collect();
    (plan, expected)
}

device_test!(a_sliced_dispatch_equals_a_whole_one, |request| {
    let (plan, expected) = groups(1000);
    for slice in [1000, 999, 64, 7] {
        let mut executor = Executor::open(request).unwrap().with_slices_of(slice);
        let execution = executor.run(&plan, &nothing(), LIMIT).unwrap();
        assert_eq!(execution.faults, []);
        assert_eq!(execution.frames[0].u32s("seen").unwrap(), expected, "slices of {slice}");
    }
});

device_test!(a_dispatch_beyond_the_device_is_split, |request| {
    let (plan, expected) = groups(70_000);
    let execution = run(request, &plan, &nothing());
    assert_eq!(execution.faults, []);
    assert!(execution.frames[0].u32s("seen").unwrap() == expected);
});

/// Two stages with storage between them, all roles and an overridable constant.
const STAGES: &str = "
    override scale: u32 = 1u;
    @group(0) @binding(0) var<storage, read> table: array<u32>;
    @group(0) @binding(1) var<storage, read_write> sums: array<atomic<u32>>;
    @group(0) @binding(2) var<uniform> count: vec4<u32>;
    @compute @workgroup_size(4) fn gather(@builtin(global_invocation_id) id: vec3<u32>) {
        if id.x < count.x { atomicAdd(&sums[id.x % 2u], table[id.x] * scale); }
    }
    @group(0) @binding(3) var<storage, read> gathered: array<u32>;
    @group(0) @binding(4) var<storage, read_write> result: array<u32>;
    @compute @workgroup_size(2) fn square(@builtin(global_invocation_id) id: vec3<u32>) {
        result[id.x] = gathered[id.x] * gathered[id.x];
    }";

device_test!(stages_see_what_those_before_them_wrote, |request| {
    let mut executor = Executor::open(request).unwrap();
    for scale in [1.0, 10.0] {
        let mut plan = Plan::new(STAGES)
            .constant("table", &[1, 2, 3, 4, 5])
            .scratch("sums", 2, 4)
            .uniform("count", &[5, 0, 0, 0])
            .output("result", 2, 4)
            .clear("sums")
            .dispatch("gather", &["table", "sums", "count"], 2);
        if let Some(Step::Dispatch(gather)) = plan.steps.last_mut() {
            gather.constants.insert("scale".to_owned(), scale);
        }
        plan.steps.push(Step::Dispatch(Dispatch {
            label: "square".to_owned(),
            module: "main".to_owned(),
            entry: "square".to_owned(),
            bindings: BTreeMap::from([(3, "sums".to_owned()), (4, "result".to_owned())]),
            constants: BTreeMap::new(),
            workgroups: 1,
        }));
        let execution = executor.run(&plan, &nothing(), LIMIT).unwrap();
        assert_eq!(execution.faults, []);
        let scale = scale as u32;
        assert_eq!(
            execution.frames[0].u32s("result").unwrap(),
            [81 * scale * scale, 36 * scale * scale]
        );
    }
});

device_test!(the_adapter_describes_itself, |request| {
    let executor = Executor::open(request).unwrap();
    let facts = executor.adapter();
    assert_eq!(request.refusal(facts), None);
    assert!(
        facts.compiler.starts_with("naga ") && facts.compiler.matches('.').count() == 2,
        "{}",
        facts.compiler
    );
    assert!(!facts.driver.is_empty());
    for limit in [
        "max_storage_buffer_binding_size",
        "max_compute_invocations_per_workgroup",
        "subgroup_max_size",
    ] {
        assert!(facts.limits[limit] > 0, "{limit}");
    }
});

device_test!(an_earlier_frame_is_the_first_where_there_is_none, |request| {
    let mut executor = Executor::open(request).unwrap();
    // A whole number of words, and a rest that is uploaded apart.
    for width in [8, 7] {
        let input = mono(Depth::U8, width, 1, 0, 4);
        let bytes = input.shape().frame_bytes();
        let plan = Plan::new(COPY)
            .earlier("in", 0, 0, 2, bytes)
            .output("out", bytes as u64, 1)
            .uniform(
                "size",
                &[bytes.div_ceil(4) as u32, [u32::MAX, 0, 0, 0xFF_FFFF][bytes % 4], 0, 0],
            )
            .dispatch("copy", &["in", "out", "size"], 1);
        let execution = executor.run(&plan, &input, LIMIT).unwrap();
        assert_eq!(execution.faults, []);
        for (frame, readback) in execution.frames.iter().enumerate() {
            let stored = input.plane(0, frame.saturating_sub(2), 0).bytes();
            assert_eq!(
                readback.buffers["out"][..bytes],
                *stored,
                "frame {frame} of width {width}"
            );
        }
    }
});
