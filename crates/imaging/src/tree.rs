//! Sums of f32 in the order of a tree: the same on both sides, and parallel.
//!
//! Terms are cut into blocks of [`BLOCK`]; a short last block is filled with +0. A block is summed by halving: its second
//! half is added to its first, element by element, until one is left. The sums of the blocks are terms again, until there
//! is one. Each addition has the same operands wherever it is done, so that a device of any shape has the bits of the reference.
//!
//! The order is a pairwise one. A sum of `n` terms goes through 6·⌈log64 n⌉ additions, 24 for 2^20 terms, and errs by at most
//! so many halves of a unit in the last place of the sum of magnitudes, where running sums err by up to `n`; in
//! practice by about one unit.

use isobit::kernel::KernelError;
use isobit::plan::Plan;

use crate::arithmetic::Arithmetic;

/// Terms of a block, and invocations of a workgroup: `TREE_BLOCK` of `tree.wgsl`.
pub(crate) const BLOCK: usize = 64;

/// Four terms that are summed side by side.
pub(crate) type Terms = [f32; 4];

/// What a module that sums over its workgroup begins with; it needs the chunk `seal`.
pub(crate) const WORKGROUP: &str = include_str!("tree.wgsl");

/// The sums of each block of `terms`.
pub(crate) fn block_sums(terms: &[Terms]) -> Vec<Terms> {
    let sum = |block: &[Terms]| {
        let mut cells = [[0.0; 4]; BLOCK];
        cells[..block.len()].copy_from_slice(block);
        let mut half = BLOCK / 2;
        while half > 0 {
            let (first, second) = cells.split_at_mut(half);
            for (cell, other) in first.iter_mut().zip(second) {
                for (term, other) in cell.iter_mut().zip(other) {
                    *term += *other;
                }
            }
            half /= 2;
        }
        cells[0]
    };
    terms.chunks(BLOCK).map(sum).collect()
}

/// The sums of all terms that have the sums `blocks` of their blocks; +0 of none.
pub(crate) fn sum_of_blocks(mut blocks: Vec<Terms>) -> Terms {
    while blocks.len() > 1 {
        blocks = block_sums(&blocks);
    }
    blocks.first().copied().unwrap_or_default()
}

/// Adds the way from the sums of `blocks` blocks, in the buffer `from`, to that of all of them; it is left in the buffer
/// whose name is returned. Labels carry `tag`.
pub(crate) fn append(
    mut plan: Plan,
    kernel: &'static str,
    arithmetic: Arithmetic,
    blocks: u64,
    from: &str,
    tag: &str,
) -> Result<(Plan, String), KernelError> {
    let source = [WORKGROUP, include_str!("tree/blocks.wgsl")].join("\n");
    plan = plan.module("tree", arithmetic.module(kernel, &["seal", "grid"], &source)?);
    let (mut from, mut terms) = (from.to_owned(), blocks);
    for height in 0.. {
        if terms <= 1 {
            break;
        }
        let sums = terms.div_ceil(BLOCK as u64);
        let [to, count] = ["sums", "count"].map(|part| format!("tree_{part}_{height}"));
        plan = plan
            .uniform(&count, &[terms as u32])
            .scratch(&to, 4 * sums, 4)
            .dispatch_of(
                "tree",
                &format!("tree_{height}_{tag}"),
                "tree",
                &[&from, &count, &to],
                sums,
            );
        (from, terms) = (to, sums);
    }
    Ok((plan, from))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sum(terms: &[f32]) -> f32 {
        let terms: Vec<Terms> = terms.iter().map(|&term| [term, 0.0, 0.0, -term]).collect();
        let [sum, zero, _, negative] = sum_of_blocks(block_sums(&terms));
        assert_eq!((zero, negative), (0.0, -sum));
        sum
    }

    #[test]
    fn halves_are_added_to_each_other() {
        // 1 + 2^-24 is 1: what is small counts only where it meets its like first, 32 places away.
        let small = 0.5f32.powi(24);
        let mut terms = [0.0; 64];
        (terms[0], terms[1], terms[33]) = (1.0, small, small);
        assert_eq!(sum(&terms), 1.0 + 2.0 * small);
        (terms[32], terms[33]) = (small, 0.0);
        assert_eq!(sum(&terms), 1.0);
    }

    #[test]
    fn a_block_is_summed_before_its_neighbour() {
        let small = 0.5f32.powi(24);
        let mut terms = [0.0; 66];
        (terms[0], terms[64], terms[65]) = (1.0, small, small);
        assert_eq!(sum(&terms), 1.0 + 2.0 * small);
    }

    #[test]
    fn whole_numbers_are_summed_whatever_their_count() {
        assert_eq!(sum(&[]), 0.0);
        for count in [1, 2, 63, 64, 65, 4095, 4096, 4097] {
            let terms: Vec<f32> = (0..count).map(|term| (term % 100) as f32).collect();
            assert_eq!(sum(&terms), terms.iter().sum::<f32>());
        }
    }

    proptest! {
        #[test]
        fn sums_err_as_pairwise_ones_do(terms in prop::collection::vec(-1e3f32..1e3, 1..5000)) {
            let exact: f64 = terms.iter().map(|&term| f64::from(term)).sum();
            let magnitudes: f64 = terms.iter().map(|&term| f64::from(term.abs())).sum();
            let error = (f64::from(sum(&terms)) - exact).abs();
            prop_assert!(error <= 18.0 * 0.5f64.powi(24) * magnitudes * 1.001, "{error:e} of {magnitudes:e}");
        }
    }
}
