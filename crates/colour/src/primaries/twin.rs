//! The twins of both kernels: one plan, with the sum of a row either sealed or left to the compiler.

use isobit::frame::ClipShape;
use isobit::kernel::KernelError;
use isobit::plan::Plan;

use super::reference::{codes_matrix, light_matrix};
use super::spaces::Matrix;
use crate::pixel_map::{self, Shader};

/// What the sum of a row is made of.
#[derive(Clone, Copy)]
pub(super) struct Arithmetic {
    chunks: &'static [&'static str],
    source: &'static str,
}

pub(super) const EXACT: Arithmetic = Arithmetic {
    chunks: &["samples", "grid", "seal"],
    source: include_str!("exact.wgsl"),
};

pub(super) const NATIVE: Arithmetic = Arithmetic {
    chunks: &["samples", "grid"],
    source: include_str!("native.wgsl"),
};

pub(super) fn plan(
    kernel: &'static str,
    shape: &ClipShape,
    matrix: &Matrix,
    arithmetic: Arithmetic,
) -> Result<Plan, KernelError> {
    let matrix = match shape.format.depth.max_code() {
        Some(max_code) => codes_matrix(matrix, max_code),
        None => light_matrix(matrix),
    };
    // A row takes four words in a uniform; the last is not used.
    let words = matrix.map(|[r, g, b]| [r.to_bits(), g.to_bits(), b.to_bits(), 0]);
    let shader = Shader {
        chunks: arithmetic.chunks,
        sources: &[include_str!("twin.wgsl"), arithmetic.source],
        parameters: words.as_flattened(),
    };
    pixel_map::plan(kernel, shape, &shader)
}

#[cfg(test)]
mod tests {
    use super::super::reference::{BRIGHT, NO_LIGHT};

    #[test]
    fn the_shader_draws_the_lines_of_the_reference() {
        let source = include_str!("twin.wgsl");
        for (name, value) in [("NO_LIGHT", NO_LIGHT), ("BRIGHT", BRIGHT)] {
            let line = format!("const {name}: u32 = {:#010x}u;", value.to_bits());
            assert!(source.contains(&line), "expected `{line}`");
        }
    }
}
