//! Holds the WGSL of every twin against its plan, for every format and a few shapes, without a device.

use std::collections::BTreeMap;

use isobit::format::{Depth, Format, Layout};
use isobit::frame::ClipShape;
use isobit::kernel::{Kernel, Twin};
use isobit::plan::{Buffer, Dispatch, Plan, Role, Step, grid};
use isobit_registry::registry;
use naga::proc::Layouter;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{AddressSpace, GlobalVariable, Module, ShaderStage, StorageAccess, TypeInner};

/// Widths, heights and samples of padding.
const SHAPES: [(u32, u32, usize); 5] = [(1, 1, 0), (9, 1, 3), (7, 5, 0), (357, 353, 1), (4160, 4096, 0)];

/// The least that WebGPU guarantees.
const MAX_INVOCATIONS: u32 = 256;
/// The least that WebGPU guarantees, in bytes.
const MAX_WORKGROUP_MEMORY: u32 = 16_384;

/// Every plan of every twin, controls included, with words that say which it is.
fn plans() -> Vec<(String, Plan)> {
    let registry = registry();
    let controls = registry.controls.iter().map(|control| &control.kernel);
    let mut plans = Vec::new();
    for kernel in registry.kernels.iter().chain(controls) {
        let before = plans.len();
        for layout in Layout::ALL {
            for depth in Depth::ALL {
                let format = Format::new(layout, depth);
                if !(kernel.accepts)(format) {
                    continue;
                }
                for (width, height, padding) in SHAPES {
                    let shape = ClipShape::padded(format, width, height, padding);
                    if kernel.refusal(&shape).is_some() {
                        continue;
                    }
                    plans.extend(kernel.twins.iter().flat_map(|twin| plans_of(kernel, twin, &shape)));
                }
            }
        }
        assert!(plans.len() > before, "`{}` has no plan for any shape", kernel.name);
    }
    plans
}

fn plans_of(kernel: &Kernel, twin: &Twin, shape: &ClipShape) -> Vec<(String, Plan)> {
    let what = format!(
        "{}/{} {} {}x{}",
        kernel.name, twin.name, shape.format, shape.width, shape.height
    );
    let plans = kernel
        .plans(twin, shape, 3)
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    plans.into_iter().map(|plan| (what.clone(), plan)).collect()
}

struct Shader {
    module: Module,
    info: ModuleInfo,
    layouter: Layouter,
}

impl Shader {
    fn new(wgsl: &str) -> Result<Self, String> {
        let module = naga::front::wgsl::parse_str(wgsl).map_err(|error| error.emit_to_string(wgsl))?;
        let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
            .validate(&module)
            .map_err(|error| error.emit_to_string(wgsl))?;
        let mut layouter = Layouter::default();
        layouter.update(module.to_ctx()).map_err(|error| error.to_string())?;
        Ok(Self { module, info, layouter })
    }

    /// The variables that the entry point of a dispatch reaches.
    fn used(&self, entry: &str) -> Result<Vec<&GlobalVariable>, String> {
        let found = self.module.entry_points.iter().position(|point| point.name == entry);
        let index = found.ok_or_else(|| format!("no entry point `{entry}`"))?;
        let reached = self.info.get_entry_point(index);
        let globals = self.module.global_variables.iter();
        Ok(globals
            .filter(|(handle, _)| !reached[*handle].is_empty())
            .map(|(_, variable)| variable)
            .collect())
    }

    fn bytes(&self, variable: &GlobalVariable) -> u64 {
        self.layouter[variable.ty].size.into()
    }

    /// Bytes of an element of a storage array, or of a whole value.
    fn element(&self, variable: &GlobalVariable) -> u64 {
        match self.module.types[variable.ty].inner {
            TypeInner::Array { stride, .. } => stride.into(),
            _ => self.bytes(variable),
        }
    }
}

/// Each shader once, though many plans share it.
#[derive(Default)]
struct Shaders(BTreeMap<String, Shader>);

impl Shaders {
    fn get(&mut self, what: &str, wgsl: &str) -> &Shader {
        self.0
            .entry(wgsl.to_owned())
            .or_insert_with(|| Shader::new(wgsl).unwrap_or_else(|error| panic!("{what}: {error}")))
    }
}

/// Runs `check` over every dispatch of every plan.
fn for_each_dispatch(check: impl Fn(&Plan, &Dispatch, &Shader) -> Result<(), String>) {
    let mut shaders = Shaders::default();
    for (what, plan) in plans() {
        let dispatches = plan.steps.iter().filter_map(|step| match step {
            Step::Dispatch(dispatch) => Some(dispatch),
            Step::Clear { .. } => None,
        });
        for dispatch in dispatches {
            let what = format!("{what}, `{}`", dispatch.label);
            let shader = shaders.get(&what, &plan.modules[&dispatch.module].wgsl);
            check(&plan, dispatch, shader).unwrap_or_else(|error| panic!("{what}: {error}"));
        }
    }
}

#[test]
fn every_module_of_every_twin_is_valid() {
    let mut shaders = Shaders::default();
    for (what, plan) in plans() {
        for module in plan.modules.values() {
            shaders.get(&what, &module.wgsl);
        }
    }
}

#[test]
fn every_dispatch_binds_just_what_its_entry_point_reaches() {
    for_each_dispatch(|_, dispatch, shader| {
        let mut reached = Vec::new();
        for variable in shader.used(&dispatch.entry)? {
            match variable
                .binding
                .as_ref()
                .map(|binding| (binding.group, binding.binding))
            {
                None => {}
                Some((0, binding)) => reached.push(binding),
                Some((grid::GROUP, grid::BINDING)) => {
                    let bytes = shader.bytes(variable);
                    ensure(bytes == grid::BYTES, || format!("the grid uniform takes {bytes} bytes"))?;
                }
                Some((group, binding)) => return Err(format!("reaches binding {binding} of group {group}")),
            }
        }
        reached.sort_unstable();
        let bound: Vec<_> = dispatch.bindings.keys().copied().collect();
        ensure(bound == reached, || format!("binds {bound:?}, reaches {reached:?}"))
    });
}

#[test]
fn every_binding_has_the_address_space_and_layout_of_its_buffer() {
    for_each_dispatch(|plan, dispatch, shader| {
        for variable in shader.used(&dispatch.entry)? {
            let Some(binding) = variable.binding.as_ref().filter(|binding| binding.group == 0) else {
                continue;
            };
            let name = &dispatch.bindings[&binding.binding];
            check_buffer(&plan.buffers[name], shader, variable).map_err(|error| format!("buffer `{name}` {error}"))?;
        }
        Ok(())
    });
}

fn check_buffer(buffer: &Buffer, shader: &Shader, variable: &GlobalVariable) -> Result<(), String> {
    let writable = match variable.space {
        AddressSpace::Storage { access } => Some(access.contains(StorageAccess::STORE)),
        AddressSpace::Uniform => None,
        space => return Err(format!("is bound to {space:?}")),
    };
    let expected = match buffer.role {
        Role::Uniform { .. } => writable.is_none(),
        Role::Input { .. } | Role::Constant { .. } | Role::Handed => writable == Some(false),
        // What a dispatch wrote a later one may read.
        Role::Scratch | Role::Output => writable.is_some(),
    };
    ensure(expected, || {
        format!("is {:?}, bound to {:?}", buffer.role, variable.space)
    })?;
    match &buffer.role {
        Role::Uniform { words } => {
            let (given, wanted) = (words.len() as u64 * 4, shader.bytes(variable));
            ensure(given == wanted, || {
                format!("holds {given} bytes, the shader's struct {wanted}")
            })
        }
        // Samples are read as words, whatever they are.
        Role::Input { .. } => ensure(shader.element(variable) == 4, || "is not an array of words".to_owned()),
        Role::Constant { .. } | Role::Handed | Role::Scratch | Role::Output => {
            let element = shader.element(variable);
            ensure(buffer.bytes.is_multiple_of(element), || {
                format!(
                    "of {} bytes holds no whole number of elements of {element}",
                    buffer.bytes
                )
            })
        }
    }
}

#[test]
fn every_entry_point_stays_within_the_limits_of_any_adapter() {
    for_each_dispatch(|_, dispatch, shader| {
        let found = shader
            .module
            .entry_points
            .iter()
            .find(|point| point.name == dispatch.entry);
        let point = found.ok_or_else(|| format!("no entry point `{}`", dispatch.entry))?;
        ensure(point.stage == ShaderStage::Compute, || {
            "is no compute shader".to_owned()
        })?;
        let invocations: u32 = point.workgroup_size.iter().product();
        ensure(invocations <= MAX_INVOCATIONS, || {
            format!("{invocations} invocations a workgroup")
        })?;
        let shared = shader.used(&dispatch.entry)?;
        let memory: u64 = shared
            .iter()
            .filter(|variable| variable.space == AddressSpace::WorkGroup)
            .map(|variable| shader.bytes(variable))
            .sum();
        ensure(memory <= MAX_WORKGROUP_MEMORY.into(), || {
            format!("{memory} bytes of workgroup memory")
        })
    });
}

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}
