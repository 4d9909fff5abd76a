//! Constants that a reference and its exact twin share: declared once in Rust, written into the WGSL from there.

use std::fmt::Write as _;

use isobit_exact::seal::Pair;

/// `value` as the sum of two f32, to about 2^−49 of it.
pub(crate) const fn pair(value: f64) -> Pair {
    let high = value as f32;
    [high, (value - high as f64) as f32]
}

/// `value`, rounded to f32.
pub(crate) const fn single(value: f64) -> f32 {
    value as f32
}

/// A constant by the name that it has in Rust and in WGSL.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Constant {
    /// An f32.
    Single(&'static str, f32),
    /// A pair of f32.
    Pair(&'static str, Pair),
}

/// Declares f32 constants (`NAME = value`) and pairs (`NAME: Pair = value`), and `CONSTANTS`, the list of them.
macro_rules! constants {
    (@kind $name:ident, $value:expr) => {
        $crate::constants::Constant::Single(stringify!($name), $name)
    };
    (@kind $name:ident, $value:expr, Pair) => {
        $crate::constants::Constant::Pair(stringify!($name), $name)
    };
    (@declare $(#[$doc:meta])* $name:ident, $value:expr) => {
        $(#[$doc])*
        pub(crate) const $name: f32 = $crate::constants::single($value);
    };
    (@declare $(#[$doc:meta])* $name:ident, $value:expr, Pair) => {
        $(#[$doc])*
        pub(crate) const $name: isobit_exact::seal::Pair = $crate::constants::pair($value);
    };
    ($($(#[$doc:meta])* $name:ident $(: $kind:ident)? = $value:expr;)*) => {
        $($crate::constants::constants!(@declare $(#[$doc])* $name, $value $(, $kind)?);)*
        /// The constants above, for the WGSL.
        pub(crate) const CONSTANTS: &[$crate::constants::Constant] =
            &[$($crate::constants::constants!(@kind $name, $value $(, $kind)?)),*];
    };
}
pub(crate) use constants;

/// WGSL that declares `constants`, each to the bit: Rust prints the digits that tell an f32 from its neighbours, and a
/// suffixed WGSL literal is rounded to f32 once.
pub(crate) fn declarations(constants: &[Constant]) -> String {
    let mut wgsl = String::new();
    for constant in constants {
        let written = match constant {
            Constant::Single(name, value) => writeln!(wgsl, "const {name}: f32 = {value:?}f;"),
            Constant::Pair(name, [high, low]) => writeln!(wgsl, "const {name} = vec2<f32>({high:?}f, {low:?}f);"),
        };
        debug_assert!(written.is_ok(), "writing to a string succeeds");
    }
    wgsl
}

#[cfg(test)]
mod tests {
    use super::*;

    constants! {
        /// A single.
        THIRD = 1.0 / 3.0;
        /// A pair.
        MINUS: Pair = -2.4e-9;
    }

    #[test]
    fn wgsl_holds_every_constant_to_the_bit() {
        let wgsl = declarations(CONSTANTS);
        let numbers: Vec<f32> = wgsl
            .split(['(', ')', '=', ',', ';', '\n'])
            .filter_map(|word| word.trim().strip_suffix('f')?.parse().ok())
            .collect();
        assert_eq!(numbers, [THIRD, MINUS[0], MINUS[1]]);
        assert_eq!(f64::from(MINUS[0]) + f64::from(MINUS[1]), -2.4e-9);
    }
}
