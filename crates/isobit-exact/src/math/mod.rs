//! Elementary functions of f32 that have the same bits in Rust and through every WGSL compiler.
//!
//! std's functions differ from platform to platform and a driver's from driver to driver. These are made of sealed additions,
//! subtractions and multiplications, of integer operations and of comparisons only, in the same order on both sides.

/// Declares constants of this module's WGSL chunks, and `CONSTANTS`, their list by name.
macro_rules! constants {
    ($($(#[$doc:meta])* $name:ident = $value:literal,)*) => {
        $($(#[$doc])* pub(crate) const $name: f32 = $value;)*
        /// The constants of the chunk, which its WGSL declares too.
        #[cfg(test)]
        pub(crate) const CONSTANTS: &[(&str, f32)] = &[$((stringify!($name), $name)),*];
    };
}
use constants;

pub mod cbrt;
mod core;
mod exp;
mod exp2;
mod log;
mod log10;
mod log2;
mod pow;

#[cfg(test)]
mod tests;

pub use self::{cbrt::cbrt, exp::exp, exp2::exp2, log::log, log2::log2, log10::log10, pow::pow};
