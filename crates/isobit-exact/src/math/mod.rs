//! Elementary functions of f32 that have the same bits in Rust and through every WGSL compiler.
//!
//! std's functions differ from platform to platform and a driver's from driver to driver. These are made of sealed additions,
//! subtractions and multiplications, of integer operations and of comparisons only, the same sequence on both sides. Rust
//! returns special values early; WGSL, where a branch gains nothing, selects them last.
//!
//! Operands are taken apart and results put together by their bits, and what lies between stays among the normal numbers
//! and zero, so that the functions are exact for every operand on drivers that flush subnormals too. NaN is tested on bits
//! and returned as 0x7fc00000. Special values are those of C Annex F.
//!
//! | function | chunk | worst error in ULP | measured over |
//! |---|---|---|---|
//! | [`exp`] | `math_exp` | 0.668 | all inputs |
//! | [`exp2`] | `math_exp2` | 0.613 | all inputs |
//! | [`log`] | `math_log` | 0.504 | all inputs |
//! | [`log2`] | `math_log2` | 0.503 | all inputs |
//! | [`log10`] | `math_log10` | 0.504 | all inputs |
//! | [`cbrt`] | `math_cbrt` | 0.538 | all inputs |
//! | [`sin`] | `math_sin` | 0.772 | all inputs |
//! | [`cos`] | `math_cos` | 0.777 | all inputs |
//! | [`pow`] | `math_pow` | 0.9 | random pairs, exponents of colour, results over the whole range |
//! | [`atan2`] | `math_atan2` | 0.75 | 2^32 random pairs, of which the worst has 0.712 |
//! | [`hypot`] | `math_hypot` | 0.501 | random pairs, near and far |
//!
//! The reference of the errors is double precision, whose own error is below 2^−28 of these units; the tests hold the same
//! bounds against 192 bits on special values, around branches and on random operands. Coefficients are weighted
//! least-squares fits at 80 Chebyshev nodes in 250 bits, rounded to f32 one after the other from the lowest power on, the
//! rest fitted anew each time; the error of each polynomial stands beside it.

/// Declares constants of this module's WGSL chunks, and `CONSTANTS`, their list by name.
macro_rules! constants {
    ($($(#[$doc:meta])* $name:ident = $value:expr,)*) => {
        $($(#[$doc])* pub(crate) const $name: f32 = $value;)*
        /// The constants of the chunk, which its WGSL declares too.
        #[cfg(test)]
        pub(crate) const CONSTANTS: &[(&str, f32)] = &[$((stringify!($name), $name)),*];
    };
}
use constants;

pub(crate) mod atan2;
pub(crate) mod cbrt;
pub(crate) mod core;
pub(crate) mod cos;
pub(crate) mod exp;
pub(crate) mod exp2;
pub(crate) mod hypot;
pub(crate) mod log;
pub(crate) mod log10;
pub(crate) mod log2;
pub(crate) mod pow;
pub(crate) mod sin;
pub(crate) mod turn;

#[cfg(test)]
mod tests;

pub use self::{
    atan2::atan2, cbrt::cbrt, cos::cos, exp::exp, exp2::exp2, hypot::hypot, log::log, log2::log2, log10::log10,
    pow::pow, sin::sin,
};

use crate::functions::Function;

/// The greatest error of each function in units in the last place of an f32, as the table above states it: what the tests
/// and `cargo xtask exact` hold the Rust side to.
pub const BOUNDS: [(&str, f64); 11] = [
    ("exp", 0.668),
    ("exp2", 0.613),
    ("log", 0.504),
    ("log2", 0.503),
    ("log10", 0.504),
    ("cbrt", 0.538),
    ("sin", 0.772),
    ("cos", 0.777),
    ("pow", 0.9),
    ("atan2", 0.75),
    ("hypot", 0.501),
];

/// The functions of these chunks that are tested against Rust.
pub const FUNCTIONS: &[Function] = &[
    Function::unary("exp", "math_exp", "math_exp(a)", exp),
    Function::unary("exp2", "math_exp2", "math_exp2(a)", exp2),
    Function::unary("log", "math_log", "math_log(a)", log),
    Function::unary("log2", "math_log2", "math_log2(a)", log2),
    Function::unary("log10", "math_log10", "math_log10(a)", log10),
    Function::binary("pow", "math_pow", "math_pow(a, b)", pow),
    Function::unary("sin", "math_sin", "math_sin(a)", sin),
    Function::unary("cos", "math_cos", "math_cos(a)", cos),
    Function::binary("atan2", "math_atan2", "math_atan2(a, b)", atan2),
    Function::binary("hypot", "math_hypot", "math_hypot(a, b)", hypot),
    Function::unary("cbrt", "math_cbrt", "math_cbrt(a)", cbrt),
];
