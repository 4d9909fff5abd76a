//! Running float sums formed on the device in the order of the reference.
//!
//! Float addition is not associative: a sum has the reference's bits only if the same terms are added in the same order.
//! A reference that is to have a twin therefore sums rows: the terms of each row from left to right, from zero on, then
//! the sums of rows from top to bottom, from zero on. The twin gives each row to one invocation and all sums of rows to
//! one invocation of the next dispatch. Rows do not depend on each other, and within a row and over the rows each addition
//! has the operands that it has in the reference; by induction over the additions, every partial sum is the reference's as
//! long as one addition is. This is so
//!
//! * for f32 by `ordered_add`, a sealed addition, as long as no term and no partial sum is subnormal on a driver that
//!   flushes them; a sum whose terms are zero or of magnitude 2^−102 at least meets none;
//! * for f64 by `ordered_add_f64`, IEEE addition in `u32`, for all terms.
//!
//! An invocation may loop 65,535 times at most, on the whole: rows of more terms, or more rows, need one more level, in the
//! reference too. Where terms are integers, a 64-bit sum (`wide_add`) is exact in any order and faster.

use crate::chunk::Chunk;

/// `ordered_add` and `ordered_add_f64`.
pub const CHUNK: Chunk = Chunk {
    name: "ordered",
    needs: &["seal", "soft64"],
    source: include_str!("ordered.wgsl"),
};

/// The sum of rows of `width` terms each, in f32.
///
/// # Panics
/// If `width` is zero.
pub fn ordered_sum(terms: &[f32], width: usize) -> f32 {
    let row = |row: &[f32]| row.iter().fold(0.0, |sum, &term| sum + term);
    terms.chunks(width).fold(0.0, |sum, terms| sum + row(terms))
}

/// The sum of rows of `width` terms each, in f64.
///
/// # Panics
/// If `width` is zero.
pub fn ordered_sum_f64(terms: &[f32], width: usize) -> f64 {
    let row = |row: &[f32]| row.iter().fold(0.0, |sum, &term| sum + f64::from(term));
    terms.chunks(width).fold(0.0, |sum, terms| sum + row(terms))
}
