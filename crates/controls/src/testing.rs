//! What the tests of all controls share: fixtures, and the proof that a fault shows its symptom on them.

use std::collections::{BTreeMap, BTreeSet};

use isobit::compare::{Comparison, check_declared, compare};
use isobit::execution::BufferFault;
use isobit::format::Format;
use isobit::frame::Input;
use isobit::kernel::{Control, Symptom};
use isobit::output::Output;
use isobit::plan::{Plan, Role, Step};
use isobit::tolerance::Rule;
use isobit::work::Receipt;

use crate::CONTROLS;

/// What memory holds that nobody has written, in the tests.
pub const POISON: u32 = 0xdead_beef;

/// Proves that outputs as the broken twin computes them show the control's symptom, on each of its fixtures and in each of
/// its formats.
pub fn confirm(control: &Control, broken: impl Fn(&Input) -> Vec<Output>) {
    confirm_with_faults(control, broken, |_| Vec::new());
}

/// The same with what an executor finds in the buffers, derived from the outputs.
pub fn confirm_with_faults(
    control: &Control,
    broken: impl Fn(&Input) -> Vec<Output>,
    faults: impl Fn(&[Output]) -> Vec<BufferFault>,
) {
    for (fixture, format, input) in inputs(control) {
        let reference = control.kernel.compute(&input).unwrap();
        let broken = broken(&input);
        let comparisons = comparisons(control, &reference, &broken);
        (control.symptom)(format)
            .confirm(&comparisons, &faults(&broken), &Receipt::default())
            .unwrap_or_else(|found| panic!("{} {format} {fixture}: {found}", control.kernel.name));
    }
}

fn comparisons(control: &Control, reference: &[Output], twin: &[Output]) -> Vec<Comparison> {
    check_declared(control.kernel.metrics, twin).unwrap();
    let compare = |metric| compare(metric, reference, twin, &Rule::EXACT).unwrap();
    control.kernel.metrics.iter().map(compare).collect()
}

/// The control's fixtures, by name and format.
pub fn inputs(control: &Control) -> impl Iterator<Item = (&'static str, Format, Input)> {
    let input = |name, format: Format| {
        let fixture = isobit_fixtures::named(name).unwrap_or_else(|| panic!("no fixture `{name}`"));
        let input = fixture.input(format, control.kernel.clips);
        (
            name,
            format,
            input.unwrap_or_else(|| panic!("no fixture `{name}` in {format}")),
        )
    };
    control
        .fixtures
        .iter()
        .flat_map(move |&name| control.formats.iter().map(move |&format| input(name, format)))
}

fn plans() -> impl Iterator<Item = (String, Plan)> {
    CONTROLS.iter().flat_map(|control| {
        inputs(control).flat_map(move |(fixture, format, input)| {
            control.kernel.twins.iter().flat_map(move |twin| {
                let name = format!("{} {} {format} {fixture}", control.kernel.name, twin.name);
                let plans = control
                    .kernel
                    .plans(twin, input.shape(), input.frames())
                    .unwrap_or_else(|error| panic!("{name}: {error}"));
                plans.into_iter().map(move |plan| (name.clone(), plan))
            })
        })
    })
}

#[test]
fn each_control_is_whole() {
    let mut names = BTreeSet::new();
    for Control {
        kernel,
        fixtures,
        formats,
        ..
    } in CONTROLS
    {
        assert!(
            kernel.name.starts_with("control_") && names.insert(kernel.name),
            "{}",
            kernel.name
        );
        assert_eq!(
            kernel.twins.iter().map(|twin| twin.name).collect::<Vec<_>>(),
            ["sound", "broken"]
        );
        assert!(!fixtures.is_empty() && !formats.is_empty(), "{}", kernel.name);
        assert!(
            formats.iter().all(|&format| (kernel.accepts)(format)),
            "{}",
            kernel.name
        );
    }
}

#[test]
fn no_fixture_is_refused() {
    for control in CONTROLS {
        for (fixture, format, input) in inputs(control) {
            let refusal = control.kernel.refusal(input.shape());
            assert_eq!(refusal, None, "{} {format} {fixture}", control.kernel.name);
        }
    }
}

#[test]
fn the_reference_yields_every_metric_in_every_frame() {
    for control in CONTROLS {
        for (fixture, format, input) in inputs(control) {
            let outputs = control.kernel.compute(&input).unwrap();
            check_declared(control.kernel.metrics, &outputs).unwrap();
            for metric in control.kernel.metrics {
                let frames: Vec<_> = outputs
                    .iter()
                    .filter(|o| o.metric == metric.name)
                    .map(|o| o.frame)
                    .collect();
                let name = control.kernel.name;
                assert!(
                    frames.iter().copied().eq(0..input.frames()),
                    "{name} {format} {fixture}"
                );
            }
        }
    }
}

/// A broken twin that is equal is a blind gate, whatever its symptom.
#[test]
fn equality_confirms_no_symptom() {
    for control in CONTROLS {
        for (fixture, format, input) in inputs(control) {
            let reference = control.kernel.compute(&input).unwrap();
            let comparisons = comparisons(control, &reference, &reference);
            let symptom = (control.symptom)(format);
            let confirmed = symptom.confirm(&comparisons, &[], &Receipt::default()).is_ok();
            assert_eq!(
                confirmed,
                symptom == Symptom::None,
                "{} {format} {fixture}",
                control.kernel.name
            );
        }
    }
}

#[test]
fn every_control_bites_in_some_format() {
    for control in CONTROLS {
        let bites = |&format: &Format| (control.symptom)(format) != Symptom::None;
        assert!(control.formats.iter().any(bites), "{}", control.kernel.name);
    }
}

/// The twins differ in one place: in the text of a module, in the steps, or in a plan that is missing, and in nothing else.
#[test]
fn twins_differ_in_one_place() {
    for control in CONTROLS {
        for (fixture, format, input) in inputs(control) {
            let plans = |twin| {
                let twin = control.kernel.twin(twin).unwrap();
                control.kernel.plans(twin, input.shape(), input.frames()).unwrap()
            };
            let (sound, broken) = (plans("sound"), plans("broken"));
            let missing = sound.len() - broken.len();
            let places = sound.iter().zip(&broken).flat_map(|(sound, broken)| {
                [
                    sound.modules != broken.modules,
                    sound.buffers != broken.buffers,
                    sound.steps != broken.steps,
                ]
            });
            let differing = places.filter(|&differs| differs).count();
            assert_eq!(differing + missing, 1, "{} {format} {fixture}", control.kernel.name);
        }
    }
}

#[test]
fn every_module_is_valid_and_fits_its_plan() {
    for (name, plan) in plans() {
        for step in &plan.steps {
            match step {
                Step::Clear { buffer } => assert!(matches!(plan.buffers[buffer].role, Role::Output | Role::Scratch)),
                Step::Dispatch(dispatch) => {
                    let module = validated(&name, &plan.modules[&dispatch.module].wgsl);
                    let entry = module.entry_points.iter().find(|entry| entry.name == dispatch.entry);
                    let [x, y, z] = entry
                        .unwrap_or_else(|| panic!("{name}: no `{}`", dispatch.entry))
                        .workgroup_size;
                    // The smallest limit among the devices known.
                    assert!(x * y * z <= 256, "{name}: {} invocations in a workgroup", x * y * z);
                    assert!((1..=65_535).contains(&dispatch.workgroups), "{name}");
                    let bound: BTreeMap<_, _> = dispatch
                        .bindings
                        .iter()
                        .map(|(&at, buffer)| (at, writable(&plan, buffer)))
                        .collect();
                    assert_eq!(
                        declared(&module),
                        bound,
                        "{name}: bindings and whether they are written"
                    );
                }
            }
        }
    }
}

fn validated(name: &str, wgsl: &str) -> naga::Module {
    let module =
        naga::front::wgsl::parse_str(wgsl).unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(wgsl)));
    naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(wgsl)));
    module
}

fn writable(plan: &Plan, buffer: &str) -> bool {
    matches!(plan.buffers[buffer].role, Role::Output | Role::Scratch)
}

/// The bindings of group 0 that a module declares, and whether it may write them.
fn declared(module: &naga::Module) -> BTreeMap<u32, bool> {
    let globals = module.global_variables.iter().filter_map(|(_, variable)| {
        let binding = variable.binding.as_ref().filter(|binding| binding.group == 0)?;
        let written = match variable.space {
            naga::AddressSpace::Storage { access } => access.contains(naga::StorageAccess::STORE),
            _ => false,
        };
        Some((binding.binding, written))
    });
    globals.collect()
}
