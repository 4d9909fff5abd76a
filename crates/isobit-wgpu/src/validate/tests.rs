//! Each static check refuses the plan that it is for, and says why.

use isobit::execution::ExecutionError;
use isobit::format::{Depth, Format, Layout};
use isobit::frame::ClipShape;
use isobit::plan::{Plan, Step};

use super::{Access, MAX_GROUPS, Validated};

const COPY: &str = "
    struct Params { width: u32, height: u32 }
    @group(0) @binding(0) var<storage, read> source: array<u32>;
    @group(0) @binding(1) var<storage, read_write> target_: array<u32>;
    @group(0) @binding(2) var<uniform> params: Params;
    var<workgroup> shared_: array<u32, 64>;
    @compute @workgroup_size(64) fn copy(@builtin(global_invocation_id) id: vec3<u32>) {
        shared_[id.x % 64u] = source[id.x];
        if id.x < params.width * params.height { target_[id.x] = shared_[id.x % 64u]; }
    }";

fn shape() -> ClipShape {
    ClipShape::tight(Format::new(Layout::Mono, Depth::U8), 5, 3)
}

fn copy(wgsl: &str) -> Plan {
    Plan::new(wgsl)
        .input("in", 0, 0, 15)
        .output("out", 15, 1)
        .uniform("size", &[5, 3])
        .dispatch("copy", &["in", "out", "size"], 1)
}

fn check(plan: &Plan) -> Result<Validated, ExecutionError> {
    super::plan(plan, &shape(), 1)
}

#[track_caller]
fn refused(plan: &Plan, why: &str) {
    let message = check(plan).unwrap_err().to_string();
    assert!(message.contains(why), "expected `{why}` in `{message}`");
}

fn dispatch(plan: &mut Plan) -> &mut isobit::plan::Dispatch {
    match &mut plan.steps[0] {
        Step::Dispatch(dispatch) => dispatch,
        Step::Clear { .. } => unreachable!("the plan begins with a dispatch"),
    }
}

#[test]
fn a_sound_plan_passes_with_what_it_asks_for() {
    let valid = check(&copy(COPY)).unwrap();
    let [only] = &valid.dispatches[..] else {
        panic!("one dispatch")
    };
    assert_eq!(
        only.access.values().collect::<Vec<_>>(),
        [&Access::Read, &Access::ReadWrite, &Access::Uniform]
    );
    assert_eq!(
        (only.workgroup_size, only.workgroup_bytes, only.grid),
        ([64, 1, 1], 256, false)
    );
}

#[test]
fn a_module_is_refused_with_the_line_at_fault() {
    let message = check(&copy("fn broken( {")).unwrap_err().to_string();
    assert!(
        message.starts_with("module `main` is invalid: ") && message.contains("wgsl:1:"),
        "{message}"
    );
    let untyped = COPY.replace("= source[id.x]", "= 1.5");
    let message = check(&copy(&untyped)).unwrap_err().to_string();
    assert!(message.contains("wgsl:8:"), "{message}");
}

#[test]
fn names_must_exist() {
    let mut plan = copy(COPY);
    dispatch(&mut plan).module = "other".to_owned();
    refused(&plan, "dispatch `copy` names module `other`, the plan has `main`");
    refused(
        &copy(COPY).dispatch("paste", &[], 1),
        "no compute entry point `paste`, only `copy`",
    );
    refused(&copy(COPY).clear("none"), "buffer `none` is cleared but not declared");
    let mut plan = copy(COPY);
    dispatch(&mut plan).bindings.insert(1, "none".to_owned());
    refused(&plan, "binds `none`, which is not declared");
}

#[test]
fn labels_are_unique_and_something_is_dispatched() {
    refused(
        &copy(COPY).dispatch("copy", &["in", "out", "size"], 1),
        "two dispatches are labelled `copy`",
    );
    let mut plan = copy(COPY);
    plan.steps.clear();
    refused(&plan, "it dispatches nothing");
}

#[test]
fn bindings_are_exactly_those_used() {
    let mut plan = copy(COPY);
    dispatch(&mut plan).bindings.remove(&2);
    refused(&plan, "binds 0, 1, entry point `copy` uses 0, 1, 2");
    let mut plan = copy(COPY);
    dispatch(&mut plan).bindings.insert(3, "in".to_owned());
    refused(&plan, "binds 0, 1, 2, 3, entry point `copy` uses 0, 1, 2");
    refused(
        &copy(&COPY.replace("@group(0) @binding(2)", "@group(2) @binding(2)")),
        "`params` is at group 2",
    );
}

#[test]
fn access_follows_the_role() {
    let writable_input = COPY.replace("<storage, read>", "<storage, read_write>");
    refused(
        &copy(&writable_input),
        "binds `in` to `source`, which is declared `var<storage, read_write>`; it is an input",
    );
    let stored_uniform = COPY.replace("var<uniform>", "var<storage, read>");
    refused(&copy(&stored_uniform), "it is a uniform");
    let mut plan = copy(COPY);
    dispatch(&mut plan).bindings.insert(2, "out".to_owned());
    refused(
        &plan,
        "binds `out` to `params`, which is declared `var<uniform>`; it is storage",
    );
    refused(&copy(COPY).clear("in"), "neither scratch nor output");
}

#[test]
fn sizes_agree() {
    refused(
        &copy(&COPY.replace("height: u32 }", "height: u32, depth: u32 }")),
        "has 12 bytes; the uniform has 8",
    );
    let fixed = COPY.replace("target_: array<u32>", "target_: array<u32, 5>");
    refused(&copy(&fixed), "has at least 20 bytes; the buffer has 16");
    let mut plan = copy(COPY);
    plan.buffers.get_mut("in").unwrap().bytes = 16;
    refused(&plan, "buffer `in` has 16 bytes, plane 0 of the input has 15");
    let mut plan = copy(COPY);
    plan.buffers.get_mut("out").unwrap().bytes = 15;
    refused(&plan, "buffer `out` has 15 bytes, which is not a multiple of 4");
    let mut plan = copy(COPY);
    plan.buffers.get_mut("out").unwrap().element = 3;
    refused(&plan, "cannot have elements of 3 bytes");
    refused(&copy(COPY).scratch("none", 0, 4), "buffer `none` has no bytes");
    refused(
        &copy(COPY).input("other", 1, 0, 15),
        "is a plane of clip 1, the input has 1",
    );
    refused(&copy(COPY).input("other", 0, 1, 15), "is plane 1, `mono-8` has 1");
}

#[test]
fn an_output_that_nothing_can_write_is_refused() {
    refused(&copy(COPY).output("lost", 4, 4), "no dispatch can write output `lost`");
    refused(
        &copy(COPY).output("lost", 4, 4).clear("lost"),
        "no dispatch can write output `lost`",
    );
}

#[test]
fn a_buffer_is_not_bound_twice_where_it_can_be_written() {
    let two = COPY.replace("var<uniform> params: Params", "var<storage, read> params: Params");
    let mut plan = copy(&two);
    dispatch(&mut plan).bindings.insert(2, "out".to_owned());
    refused(&plan, "dispatch `copy` binds `out` at 1 and at 2, and can write it");
    dispatch(&mut plan).bindings.insert(2, "in".to_owned());
    assert!(check(&plan).is_ok(), "two readers are no alias");
}

#[test]
fn lengths_come_from_uniforms() {
    let asking = COPY.replace("params.width * params.height", "arrayLength(&target_) + params.width");
    refused(&copy(&asking), "it calls `arrayLength`");
}

#[test]
fn a_dispatch_that_cannot_be_split_is_bounded() {
    let mut plan = copy(COPY);
    dispatch(&mut plan).workgroups = 0;
    refused(&plan, "dispatch `copy` has no workgroups");
    dispatch(&mut plan).workgroups = MAX_GROUPS;
    assert!(check(&plan).is_ok());
    dispatch(&mut plan).workgroups = MAX_GROUPS + 1;
    refused(&plan, "does not read `isobit_grid`, so that it cannot be split");

    let grid = "@group(1) @binding(0) var<uniform> isobit_grid: vec4<u32>;";
    plan.modules.get_mut("main").unwrap().wgsl = format!("{grid}{COPY}");
    refused(&plan, "does not read `isobit_grid`");
    let reading = COPY.replace("if id.x <", "if id.x + isobit_grid.x * 64u <");
    plan.modules.get_mut("main").unwrap().wgsl = format!("{grid}{reading}");
    assert!(check(&plan).unwrap().dispatches[0].grid);
    plan.modules.get_mut("main").unwrap().wgsl = format!("{}{reading}", grid.replace("vec4", "vec2"));
    refused(
        &plan,
        "`isobit_grid` must be declared `var<uniform> isobit_grid: vec4<u32>`",
    );
}

#[test]
fn constants_are_known_and_resolved() {
    let sized = COPY
        .replace("@workgroup_size(64)", "@workgroup_size(lanes)")
        .replace("array<u32, 64>", "array<u32, lanes>")
        .replace("% 64u", "% lanes");
    let mut plan = copy(&format!("override lanes: u32 = 32u; {sized}"));
    let sizes = |plan: &Plan| check(plan).map(|v| (v.dispatches[0].workgroup_size, v.dispatches[0].workgroup_bytes));
    assert_eq!(sizes(&plan), Ok(([32, 1, 1], 128)));
    dispatch(&mut plan).constants.insert("lanes".to_owned(), 128.0);
    assert_eq!(sizes(&plan), Ok(([128, 1, 1], 512)));
    dispatch(&mut plan).constants.insert("tiles".to_owned(), 2.0);
    refused(&plan, "its constants do not fit entry point `copy`");
}

#[test]
fn workgroup_memory_counts_only_what_the_entry_point_reaches() {
    let other = format!(
        "{COPY} var<workgroup> huge: array<u32, 20000>;
         @compute @workgroup_size(1) fn other() {{ huge[0] = 1u; }}"
    );
    assert_eq!(check(&copy(&other)).unwrap().dispatches[0].workgroup_bytes, 256);
    let plan = copy(&other).dispatch("other", &[], 1);
    assert_eq!(check(&plan).unwrap().dispatches[1].workgroup_bytes, 80_000);
}

#[test]
fn a_checker_remembers_without_mixing_up() {
    let mut checker = super::Checker::default();
    let sound = copy(COPY);
    let mut unbound = copy(COPY);
    dispatch(&mut unbound).bindings.remove(&2);
    for _ in 0..2 {
        assert_eq!(checker.plan(&sound, &shape(), 1), check(&sound));
        assert_eq!(checker.plan(&unbound, &shape(), 1), check(&unbound));
        assert_eq!(
            checker.plan(&copy("fn broken("), &shape(), 1),
            check(&copy("fn broken("))
        );
    }
}
