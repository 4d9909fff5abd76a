//! Where each buffer of a plan lies on the device and in the read-back, and whether a device has room for it. Pure sums.

use std::collections::BTreeMap;
use std::ops::Range;

use isobit::execution::ExecutionError;
use isobit::plan::{Buffer, Dispatch, Plan, Role, Step, grid};

use crate::memory::Extent;
use crate::validate::{Access, MAX_GROUPS, ValidDispatch, Validated};

/// Bytes of the number that proves completion.
pub(crate) const SENTINEL: u64 = 8;

/// Bytes from one entry of the grid uniform to the next: the greatest alignment that a device may ask for.
pub(crate) const GRID_STRIDE: u64 = 256;

/// The buffers of a plan, by name, and what is read back of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// One entry a buffer.
    pub(crate) places: BTreeMap<String, Place>,
    /// Bytes that are read back after one run.
    pub(crate) run_bytes: u64,
}

/// Where one buffer lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// On the device; a uniform has no guard zones and ignores it.
    pub(crate) extent: Extent,
    /// What is read back of it: ranges of the allocation, and where they begin in a run's part of the read-back.
    pub(crate) copies: Vec<(Range<u64>, u64)>,
}

/// A part of a dispatch that a device takes at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slice {
    /// Workgroups before it.
    pub(crate) first: u32,
    /// Workgroups in it.
    pub(crate) groups: u32,
    /// Where its entry of the grid uniform begins.
    pub(crate) offset: u32,
}

impl Layout {
    /// The layout of a plan that passed the static checks, for offsets that are multiples of `alignment`.
    pub(crate) fn new(plan: &Plan, alignment: u64) -> Self {
        let mut run_bytes = 0;
        let mut places = BTreeMap::new();
        for (before, (name, buffer)) in plan.buffers.iter().enumerate() {
            let extent = Extent::new(before, buffer.bytes, alignment);
            let (front, back) = (0..extent.start, extent.end()..extent.total());
            let ranges = match buffer.role {
                Role::Output => [Some(0..extent.total()), None],
                Role::Scratch => [Some(front), Some(back)],
                Role::Input { .. } | Role::Uniform { .. } | Role::Constant { .. } | Role::Handed => [None, None],
            };
            let copies = ranges.into_iter().flatten().map(|range| {
                let at = run_bytes;
                run_bytes += range.end - range.start;
                (range, at)
            });
            let copies = copies.collect();
            places.insert(name.clone(), Place { extent, copies });
        }
        Self { places, run_bytes }
    }

    /// Bytes of the read-back of one frame: two runs and the sentinel.
    pub(crate) const fn readback(&self) -> u64 {
        self.run_bytes * 2 + SENTINEL
    }

    /// Whether a device of `limits` has room for the plan.
    ///
    /// # Errors
    /// [`ExecutionError::Limit`] with what there is too much of.
    pub(crate) fn check(&self, plan: &Plan, valid: &Validated, limits: &wgpu::Limits) -> Result<(), ExecutionError> {
        for (name, buffer) in &plan.buffers {
            self.check_buffer(name, buffer, limits)?;
        }
        at_most(self.readback(), limits.max_buffer_size, || {
            "the read-back of one frame".to_owned()
        })?;
        let dispatches = plan.steps.iter().filter_map(|step| match step {
            Step::Dispatch(dispatch) => Some(dispatch),
            Step::Clear { .. } => None,
        });
        dispatches
            .zip(&valid.dispatches)
            .try_for_each(|(dispatch, valid)| check_dispatch(dispatch, valid, limits))
    }

    fn check_buffer(&self, name: &str, buffer: &Buffer, limits: &wgpu::Limits) -> Result<(), ExecutionError> {
        if let Role::Uniform { .. } = buffer.role {
            return at_most(buffer.bytes, limits.max_uniform_buffer_binding_size, || {
                format!("uniform `{name}`")
            });
        }
        let extent = self.places[name].extent;
        let what = || format!("buffer `{name}` of {} bytes with its guard zones", buffer.bytes);
        at_most(extent.bound(), limits.max_storage_buffer_binding_size, what)?;
        at_most(extent.total(), limits.max_buffer_size, what)
    }
}

fn check_dispatch(dispatch: &Dispatch, valid: &ValidDispatch, limits: &wgpu::Limits) -> Result<(), ExecutionError> {
    let of = |what: &str| format!("{what} of dispatch `{}`", dispatch.label);
    let [x, y, z] = valid.workgroup_size;
    let sizes = [
        (
            "the workgroup's width",
            u64::from(x),
            limits.max_compute_workgroup_size_x,
        ),
        (
            "the workgroup's height",
            u64::from(y),
            limits.max_compute_workgroup_size_y,
        ),
        (
            "the workgroup's depth",
            u64::from(z),
            limits.max_compute_workgroup_size_z,
        ),
        (
            "the number of invocations in a workgroup",
            u64::from(x).saturating_mul(y.into()).saturating_mul(z.into()),
            limits.max_compute_invocations_per_workgroup,
        ),
        (
            "the workgroup memory in bytes",
            valid.workgroup_bytes,
            limits.max_compute_workgroup_storage_size,
        ),
    ];
    for (what, needed, offered) in sizes {
        at_most(needed, offered.into(), || of(what))?;
    }
    let uniforms = valid
        .access
        .values()
        .filter(|&&access| access == Access::Uniform)
        .count();
    let storage = valid.access.len() - uniforms;
    let bindings = [
        (
            "the number of storage buffers",
            storage,
            limits.max_storage_buffers_per_shader_stage,
        ),
        (
            "the number of uniforms",
            uniforms + usize::from(valid.grid),
            limits.max_uniform_buffers_per_shader_stage,
        ),
    ];
    for (what, needed, offered) in bindings {
        at_most(needed as u64, offered.into(), || of(what))?;
    }
    if !valid.grid {
        at_most(
            dispatch.workgroups,
            limits.max_compute_workgroups_per_dimension.into(),
            || of("the number of workgroups"),
        )?;
    }
    Ok(())
}

fn at_most(needed: u64, offered: u64, what: impl FnOnce() -> String) -> Result<(), ExecutionError> {
    if needed > offered {
        return Err(ExecutionError::Limit {
            what: what(),
            needed,
            offered,
        });
    }
    Ok(())
}

/// Cuts a dispatch of `workgroups` into slices of at most `most`, their entries of the grid uniform from `offset` on.
pub(crate) fn slices(workgroups: u64, most: u32, offset: u64) -> Vec<Slice> {
    let most = u64::from(most).clamp(1, MAX_GROUPS);
    let starts = (0..workgroups.div_ceil(most)).map(|index| (index, index * most));
    starts
        .map(|(index, first)| Slice {
            first: first as u32,
            groups: most.min(workgroups - first) as u32,
            offset: (offset + index * GRID_STRIDE) as u32,
        })
        .collect()
}

/// The contents of the grid uniform for `slices` of a dispatch of `workgroups`, one entry of [`GRID_STRIDE`] bytes each.
pub(crate) fn grid_entries(slices: &[Slice], workgroups: u64) -> Vec<u8> {
    const { assert!(grid::BYTES <= GRID_STRIDE) };
    let entries = slices.iter().flat_map(|slice| {
        let mut entry = vec![0; GRID_STRIDE as usize];
        entry[..4].copy_from_slice(&slice.first.to_le_bytes());
        entry[4..8].copy_from_slice(&(workgroups as u32).to_le_bytes());
        entry
    });
    entries.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plan() -> Plan {
        Plan::new("")
            .constant("c", &[1, 2, 3])
            .output("out", 5, 4)
            .scratch("tmp", 100, 4)
            .uniform("u", &[0; 4])
    }

    fn valid() -> Validated {
        Validated {
            dispatches: vec![ValidDispatch {
                access: BTreeMap::from([(0, Access::Read), (1, Access::ReadWrite), (2, Access::Uniform)]),
                grid: false,
                workgroup_size: [64, 2, 1],
                workgroup_bytes: 1000,
            }],
        }
    }

    fn refused(limits: wgpu::Limits) -> String {
        let plan = plan().dispatch("main", &["c", "out", "u"], 300);
        Layout::new(&plan, 256)
            .check(&plan, &valid(), &limits)
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn only_what_a_plan_writes_is_read_back() {
        let layout = Layout::new(&plan(), 64);
        assert_eq!(layout.places["c"].copies, []);
        assert_eq!(layout.places["u"].copies, []);
        assert_eq!(layout.places["out"].copies, [(0..4628, 0)]);
        assert_eq!(layout.places["tmp"].copies, [(0..768, 4628), (1168..5264, 5396)]);
        assert_eq!(layout.readback(), 2 * 9492 + 8);
    }

    #[test]
    fn each_limit_is_named_with_both_numbers() {
        let all = wgpu::Limits::default;
        let plan = plan().dispatch("main", &["c", "out", "u"], 300);
        assert_eq!(Layout::new(&plan, 256).check(&plan, &valid(), &all()), Ok(()));
        assert_eq!(
            refused(wgpu::Limits {
                max_storage_buffer_binding_size: 4400,
                ..all()
            }),
            "buffer `tmp` of 400 bytes with its guard zones needs 4496, the device offers 4400"
        );
        assert_eq!(
            refused(wgpu::Limits {
                max_buffer_size: 10000,
                ..all()
            }),
            "the read-back of one frame needs 18992, the device offers 10000"
        );
        assert_eq!(
            refused(wgpu::Limits {
                max_compute_invocations_per_workgroup: 127,
                ..all()
            }),
            "the number of invocations in a workgroup of dispatch `main` needs 128, the device offers 127"
        );
        assert_eq!(
            refused(wgpu::Limits {
                max_compute_workgroup_storage_size: 999,
                ..all()
            }),
            "the workgroup memory in bytes of dispatch `main` needs 1000, the device offers 999"
        );
        assert_eq!(
            refused(wgpu::Limits {
                max_compute_workgroups_per_dimension: 299,
                ..all()
            }),
            "the number of workgroups of dispatch `main` needs 300, the device offers 299"
        );
        assert_eq!(
            refused(wgpu::Limits {
                max_storage_buffers_per_shader_stage: 1,
                ..all()
            }),
            "the number of storage buffers of dispatch `main` needs 2, the device offers 1"
        );
        assert_eq!(
            refused(wgpu::Limits {
                max_uniform_buffer_binding_size: 8,
                ..all()
            }),
            "uniform `u` needs 16, the device offers 8"
        );
    }

    proptest! {
        #[test]
        fn slices_cover_a_grid_once(workgroups in 1u64..1_000_000, most in 1u32..200_000) {
            let workgroups = workgroups.min(u64::from(most) * 1000);
            let slices = slices(workgroups, most, 512);
            let mut next = 0;
            for (index, slice) in slices.iter().enumerate() {
                prop_assert_eq!(slice.first, next);
                prop_assert!((1..=most.min(65_535)).contains(&slice.groups));
                prop_assert_eq!(slice.offset as usize, 512 + index * 256);
                next += slice.groups;
            }
            prop_assert_eq!(u64::from(next), workgroups);
            let entries = grid_entries(&slices, workgroups);
            prop_assert_eq!(entries.len(), slices.len() * 256);
        }
    }
}
