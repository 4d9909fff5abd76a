//! Sums of 64-bit integers over a workgroup, and the two ways to a sum over a grid. Integer sums are exact in any order,
//! modulo 2^64.
//!
//! **Without atomics**: each workgroup stores its sum in `partials[grid_workgroup(workgroup_id)]`; the host adds them
//! (`wide_add`), or one more dispatch of one workgroup does, each invocation taking every 64th.
//!
//! **With atomics**: the first invocation of each workgroup adds to two words that a `Clear` step set to zero:
//!
//! ```wgsl
//! let before = atomicAdd(&low, sum.x);
//! let carry = select(0u, 1u, before + sum.x < before);
//! atomicAdd(&high, sum.y + carry);
//! ```
//!
//! Additions to the low word happen one after another in some order, and each that wraps sees so by itself: `before` is the
//! value just before its own. The number of carries that reach the high word is therefore the number of times that the
//! low word wrapped, whatever the order. The pair is meaningful once the dispatch has ended, not before.

use crate::chunk::Chunk;

/// `REDUCE_SIZE`, the invocations of a workgroup, and `reduce_workgroup`.
pub const CHUNK: Chunk = Chunk {
    name: "reduce",
    needs: &["wide"],
    source: include_str!("reduce.wgsl"),
};
