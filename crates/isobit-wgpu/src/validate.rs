//! The static checks of a plan: what can be known to be wrong without a device. Limits of a device are checked elsewhere.

use std::collections::btree_map::Entry as Slot;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use isobit::execution::ExecutionError;
use isobit::frame::ClipShape;
use isobit::plan::{Buffer, Dispatch, Plan, Role, Step};

mod module;
#[cfg(test)]
mod tests;

pub use module::Access;
use module::{Entry, GRID_NAME, Parsed, Resource, or_none};

/// The most workgroups that one dispatch of any device is sure to take.
pub const MAX_GROUPS: u64 = 65_535;

/// What is known of a plan that passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Validated {
    /// One entry a dispatch, in the order of the plan.
    pub dispatches: Vec<ValidDispatch>,
}

/// What is known of a dispatch that passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidDispatch {
    /// How each binding of group 0 is used.
    pub access: BTreeMap<u32, Access>,
    /// Whether the entry point reads `isobit_grid`, so that the dispatch can be split.
    pub grid: bool,
    /// Invocations of a workgroup by dimension.
    pub workgroup_size: [u32; 3],
    /// Bytes of workgroup memory.
    pub workgroup_bytes: u64,
}

/// Checks `plan` for an input of `clips` clips of `shape`.
///
/// # Errors
/// [`ExecutionError::InvalidPlan`] where the plan contradicts itself, its modules or the input;
/// [`ExecutionError::InvalidModule`] where a module does not parse or validate.
pub fn plan(plan: &Plan, shape: &ClipShape, clips: usize) -> Result<Validated, ExecutionError> {
    Checker::default().plan(plan, shape, clips)
}

/// The checks with a memory: a module or an entry point that was seen before is not analysed again.
#[derive(Debug, Default)]
pub struct Checker {
    modules: HashMap<String, CheckedModule>,
}

#[derive(Debug)]
struct CheckedModule {
    parsed: Result<Parsed, String>,
    entries: HashMap<EntryKey, Result<Rc<Entry>, String>>,
}

/// An entry point and the bits of its constants.
type EntryKey = (String, Vec<(String, u64)>);

impl Checker {
    /// The same as [`plan`].
    ///
    /// # Errors
    /// Those of [`plan`].
    pub fn plan(&mut self, plan: &Plan, shape: &ClipShape, clips: usize) -> Result<Validated, ExecutionError> {
        for (name, buffer) in &plan.buffers {
            check_buffer(buffer, shape, clips).map_err(|why| invalid(format!("buffer `{name}` {why}")))?;
        }
        let mut labels = BTreeSet::new();
        let mut written = BTreeSet::new();
        let mut dispatches = Vec::new();
        for step in &plan.steps {
            match step {
                Step::Clear { buffer } => check_clear(plan, buffer).map_err(invalid)?,
                Step::Dispatch(dispatch) => {
                    if !labels.insert(&dispatch.label) {
                        return Err(invalid(format!("two dispatches are labelled `{}`", dispatch.label)));
                    }
                    let entry = self.entry(plan, dispatch)?;
                    check_dispatch(plan, dispatch, &entry)
                        .map_err(|why| invalid(format!("dispatch `{}` {why}", dispatch.label)))?;
                    let access: BTreeMap<_, _> = entry.resources.iter().map(|(&at, r)| (at, r.access)).collect();
                    let writable = access.iter().filter(|&(_, &access)| access == Access::ReadWrite);
                    written.extend(writable.filter_map(|(at, _)| dispatch.bindings.get(at)));
                    dispatches.push(ValidDispatch {
                        access,
                        grid: entry.grid,
                        workgroup_size: entry.workgroup_size,
                        workgroup_bytes: entry.workgroup_bytes,
                    });
                }
            }
        }
        if dispatches.is_empty() {
            return Err(invalid("it dispatches nothing".to_owned()));
        }
        let outputs = plan.buffers.iter().filter(|(_, buffer)| buffer.role == Role::Output);
        if let Some((name, _)) = outputs.clone().find(|(name, _)| !written.contains(*name)) {
            return Err(invalid(format!("no dispatch can write output `{name}`")));
        }
        if outputs.count() == 0 {
            return Err(invalid("it has no output".to_owned()));
        }
        Ok(Validated { dispatches })
    }

    fn entry(&mut self, plan: &Plan, dispatch: &Dispatch) -> Result<Rc<Entry>, ExecutionError> {
        let Some(module) = plan.modules.get(&dispatch.module) else {
            let known: Vec<_> = plan.modules.keys().map(|name| format!("`{name}`")).collect();
            return Err(invalid(format!(
                "dispatch `{}` names module `{}`, the plan has {}",
                dispatch.label,
                dispatch.module,
                or_none(&known)
            )));
        };
        let checked = self
            .modules
            .entry(module.wgsl.clone())
            .or_insert_with(|| CheckedModule {
                parsed: Parsed::new(&module.wgsl),
                entries: HashMap::new(),
            });
        let parsed = checked.parsed.as_ref();
        let constants = dispatch
            .constants
            .iter()
            .map(|(name, value)| (name.clone(), value.to_bits()))
            .collect();
        let entry = parsed.map_err(String::clone).and_then(|parsed| {
            let found = checked.entries.entry((dispatch.entry.clone(), constants));
            found
                .or_insert_with(|| parsed.entry(&dispatch.entry, &dispatch.constants).map(Rc::new))
                .clone()
        });
        entry.map_err(|message| ExecutionError::InvalidModule {
            module: dispatch.module.clone(),
            message,
        })
    }
}

fn invalid(message: String) -> ExecutionError {
    ExecutionError::InvalidPlan { message }
}

fn check_buffer(buffer: &Buffer, shape: &ClipShape, clips: usize) -> Result<(), String> {
    let bytes = buffer.bytes;
    if bytes == 0 {
        return Err("has no bytes".to_owned());
    }
    if !matches!(buffer.element, 1 | 2 | 4 | 8) || !bytes.is_multiple_of(u64::from(buffer.element)) {
        return Err(format!(
            "of {bytes} bytes cannot have elements of {} bytes",
            buffer.element
        ));
    }
    match &buffer.role {
        Role::Input { clip, plane, .. } => {
            if *clip >= clips {
                return Err(format!("is a plane of clip {clip}, the input has {clips}"));
            }
            let Some(stored) = shape.planes.get(*plane) else {
                return Err(format!(
                    "is plane {plane}, `{}` has {}",
                    shape.format,
                    shape.planes.len()
                ));
            };
            if bytes != stored.bytes() as u64 {
                return Err(format!(
                    "has {bytes} bytes, plane {plane} of the input has {}",
                    stored.bytes()
                ));
            }
        }
        Role::Uniform { words } | Role::Constant { words } => {
            if bytes != words.len() as u64 * 4 {
                return Err(format!("has {bytes} bytes, its contents have {}", words.len() * 4));
            }
        }
        Role::Handed => return Err("holds what another step left, and nothing was handed over".to_owned()),
        Role::Scratch | Role::Output => {
            if !bytes.is_multiple_of(4) {
                return Err(format!("has {bytes} bytes, which is not a multiple of 4"));
            }
        }
    }
    Ok(())
}

fn check_clear(plan: &Plan, name: &str) -> Result<(), String> {
    match plan.buffers.get(name) {
        None => Err(format!("buffer `{name}` is cleared but not declared")),
        Some(buffer) if writable(&buffer.role) => Ok(()),
        Some(_) => Err(format!("buffer `{name}` is cleared but is neither scratch nor output")),
    }
}

const fn writable(role: &Role) -> bool {
    matches!(role, Role::Scratch | Role::Output)
}

fn check_dispatch(plan: &Plan, dispatch: &Dispatch, entry: &Entry) -> Result<(), String> {
    let used: Vec<_> = entry.resources.keys().map(u32::to_string).collect();
    let bound: Vec<_> = dispatch.bindings.keys().map(u32::to_string).collect();
    if used != bound {
        return Err(format!(
            "binds {}, entry point `{}` uses {}",
            or_none(&bound),
            dispatch.entry,
            or_none(&used)
        ));
    }
    let mut users: BTreeMap<&str, (u32, Access)> = BTreeMap::new();
    for (&at, name) in &dispatch.bindings {
        let resource = &entry.resources[&at];
        let Some(buffer) = plan.buffers.get(name) else {
            return Err(format!("binds `{name}`, which is not declared"));
        };
        check_binding(buffer, resource).map_err(|why| format!("binds `{name}` to `{}`, {why}", resource.name))?;
        match users.entry(name) {
            Slot::Vacant(slot) => {
                slot.insert((at, resource.access));
            }
            Slot::Occupied(slot) => {
                let (other, access) = *slot.get();
                if access == Access::ReadWrite || resource.access == Access::ReadWrite {
                    return Err(format!("binds `{name}` at {other} and at {at}, and can write it"));
                }
            }
        }
    }
    match dispatch.workgroups {
        0 => Err("has no workgroups".to_owned()),
        groups if groups > u64::from(u32::MAX) => Err(format!("has {groups} workgroups, which no `u32` can count")),
        groups if groups > MAX_GROUPS && !entry.grid => Err(format!(
            "has {groups} workgroups, more than {MAX_GROUPS}, and entry point `{}` does not read `{GRID_NAME}`, so that \
             it cannot be split",
            dispatch.entry
        )),
        _ => Ok(()),
    }
}

fn check_binding(buffer: &Buffer, resource: &Resource) -> Result<(), String> {
    let fits = match buffer.role {
        Role::Uniform { .. } => resource.access == Access::Uniform,
        Role::Input { .. } | Role::Constant { .. } | Role::Handed => resource.access == Access::Read,
        Role::Scratch | Role::Output => resource.access != Access::Uniform,
    };
    let declared = match resource.access {
        Access::Uniform => "var<uniform>",
        Access::Read => "var<storage, read>",
        Access::ReadWrite => "var<storage, read_write>",
    };
    if !fits {
        let role = match buffer.role {
            Role::Uniform { .. } => "a uniform, to be declared `var<uniform>`",
            Role::Input { .. } => "an input, to be declared `var<storage, read>`",
            Role::Constant { .. } | Role::Handed => "a constant, to be declared `var<storage, read>`",
            Role::Scratch | Role::Output => "storage, to be declared `var<storage, …>`",
        };
        return Err(format!("which is declared `{declared}`; it is {role}"));
    }
    let bytes = buffer.bytes.next_multiple_of(4);
    match resource.access {
        Access::Uniform if resource.bytes != bytes => {
            Err(format!("which has {} bytes; the uniform has {bytes}", resource.bytes))
        }
        _ if resource.bytes > bytes => Err(format!(
            "which has at least {} bytes; the buffer has {bytes}",
            resource.bytes
        )),
        _ => Ok(()),
    }
}
