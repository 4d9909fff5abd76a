//! One WGSL module and what an entry point of it asks for, as naga sees it. Knows nothing of plans.

use std::collections::BTreeMap;

use isobit::plan::grid;
use naga::back::pipeline_constants::process_overrides;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{AddressSpace, ShaderStage, StorageAccess, TypeInner};

/// The name of the grid uniform in a module.
pub(crate) const GRID_NAME: &str = "isobit_grid";

/// A module that parses and validates.
#[derive(Debug)]
pub(crate) struct Parsed {
    module: naga::Module,
    info: ModuleInfo,
}

/// How an entry point may use a binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// The uniform address space.
    Uniform,
    /// `var<storage, read>`.
    Read,
    /// `var<storage, read_write>`.
    ReadWrite,
}

/// A resource of group 0 that an entry point uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resource {
    /// Its name in the source.
    pub(crate) name: String,
    /// How it may be used.
    pub(crate) access: Access,
    /// Bytes of its type, a runtime-sized array counted with one element.
    pub(crate) bytes: u64,
}

/// What an entry point asks for once its constants are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Resources of group 0, by binding.
    pub(crate) resources: BTreeMap<u32, Resource>,
    /// Whether it uses the grid uniform.
    pub(crate) grid: bool,
    /// Invocations of a workgroup by dimension.
    pub(crate) workgroup_size: [u32; 3],
    /// Bytes of all workgroup variables that it reaches.
    pub(crate) workgroup_bytes: u64,
}

impl Parsed {
    /// Parses and validates; an error is the validator's account, with the lines concerned.
    pub(crate) fn new(source: &str) -> Result<Self, String> {
        let module = naga::front::wgsl::parse_str(source).map_err(|error| error.emit_to_string(source))?;
        let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
            .validate(&module)
            .map_err(|error| error.emit_to_string(source))?;
        Ok(Self { module, info })
    }

    /// What `name` asks for with these values of overridable constants.
    pub(crate) fn entry(&self, name: &str, constants: &BTreeMap<String, f64>) -> Result<Entry, String> {
        if !self
            .module
            .entry_points
            .iter()
            .any(|entry| entry.name == name && entry.stage == ShaderStage::Compute)
        {
            let known = self
                .module
                .entry_points
                .iter()
                .filter(|entry| entry.stage == ShaderStage::Compute);
            let known: Vec<_> = known.map(|entry| format!("`{}`", entry.name)).collect();
            return Err(format!(
                "it has no compute entry point `{name}`, only {}",
                or_none(&known)
            ));
        }
        let constants = constants.iter().map(|(name, &value)| (name.clone(), value)).collect();
        let (module, info) =
            process_overrides(&self.module, &self.info, Some((ShaderStage::Compute, name)), &constants)
                .map_err(|error| format!("its constants do not fit entry point `{name}`: {error}"))?;
        Self::asked(&module, &info, name)
    }

    fn asked(module: &naga::Module, info: &ModuleInfo, name: &str) -> Result<Entry, String> {
        let index = module
            .entry_points
            .iter()
            .position(|entry| entry.name == name)
            .ok_or_else(|| format!("entry point `{name}` is lost when its constants are set"))?;
        let uses = info.get_entry_point(index);
        if asks_for_lengths(module) {
            return Err(
                "it calls `arrayLength`, which would count the guard zone behind a buffer; pass the length in a \
                        uniform"
                    .to_owned(),
            );
        }
        let mut entry = Entry {
            resources: BTreeMap::new(),
            grid: false,
            workgroup_size: module.entry_points[index].workgroup_size,
            workgroup_bytes: 0,
        };
        for (handle, variable) in module
            .global_variables
            .iter()
            .filter(|(handle, _)| !uses[*handle].is_empty())
        {
            let label = variable.name.clone().unwrap_or_else(|| format!("{handle:?}"));
            let inner = &module.types[variable.ty].inner;
            let bytes = u64::from(inner.size(module.to_ctx()));
            let access = match variable.space {
                AddressSpace::WorkGroup => {
                    entry.workgroup_bytes += bytes;
                    continue;
                }
                AddressSpace::Private => continue,
                AddressSpace::Uniform => Access::Uniform,
                AddressSpace::Storage { access } if access.contains(StorageAccess::STORE) => Access::ReadWrite,
                AddressSpace::Storage { .. } => Access::Read,
                _ => return Err(format!("`{label}` is neither a uniform nor a storage buffer")),
            };
            let Some(binding) = variable.binding else {
                return Err(format!("`{label}` has no `@group` and `@binding`"));
            };
            match binding.group {
                0 => {
                    let resource = Resource {
                        name: label.clone(),
                        access,
                        bytes,
                    };
                    if entry.resources.insert(binding.binding, resource).is_some() {
                        return Err(format!(
                            "binding {} of group 0 is used twice, also by `{label}`",
                            binding.binding
                        ));
                    }
                }
                grid::GROUP if binding.binding == grid::BINDING && label == GRID_NAME => {
                    if access != Access::Uniform || !is_vec4_u32(inner) {
                        return Err(format!(
                            "`{GRID_NAME}` must be declared `var<uniform> {GRID_NAME}: vec4<u32>`"
                        ));
                    }
                    entry.grid = true;
                }
                group => {
                    return Err(format!(
                        "`{label}` is at group {group}, binding {}: buffers of a plan are in group 0, and group {} holds \
                         only `{GRID_NAME}` at binding {}",
                        binding.binding,
                        grid::GROUP,
                        grid::BINDING,
                    ));
                }
            }
        }
        Ok(entry)
    }
}

fn asks_for_lengths(module: &naga::Module) -> bool {
    let functions = module.functions.iter().map(|(_, function)| function);
    let entries = module.entry_points.iter().map(|entry| &entry.function);
    functions
        .chain(entries)
        .flat_map(|function| function.expressions.iter())
        .any(|(_, expression)| matches!(expression, naga::Expression::ArrayLength(_)))
}

fn is_vec4_u32(inner: &TypeInner) -> bool {
    matches!(inner, TypeInner::Vector { size: naga::VectorSize::Quad, scalar } if *scalar == naga::Scalar::U32)
}

/// A list for a message.
pub(crate) fn or_none(names: &[String]) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}
