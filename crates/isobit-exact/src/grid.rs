//! The place of a workgroup in a dispatch that an executor may split into slices.

use crate::chunk::Chunk;

/// `isobit_grid`, `grid_workgroup` and `grid_invocation`.
///
/// Declares binding 0 of group 1, whose contents an executor provides: the number of workgroups before the slice, then the
/// number of workgroups of the whole dispatch.
pub const CHUNK: Chunk = Chunk {
    name: "grid",
    needs: &[],
    source: include_str!("grid.wgsl"),
};
