//! Mutants of a function: its WGSL with one of the float constants slightly wrong. A comparison that catches each of them
//! holds every constant.
//!
//! A constant moves by 2^16 units in its last place. One unit of the last coefficient of a polynomial would change about one
//! result in 2^27, more than a run compares: that the constants of both sides are the same to the last bit, and which bits
//! they are, is tested without a device.

use std::collections::{BTreeMap, BTreeSet};

use super::module;
use crate::chunk::JoinError;
use crate::functions::Function;

/// Units in the last place by which a constant moves.
const MOVE: u32 = 1 << 16;

/// A function's module in which one constant is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    constant: String,
    module: String,
}

impl Mutant {
    /// The name of the constant.
    pub fn constant(&self) -> &str {
        &self.constant
    }

    /// The whole module.
    pub(super) fn module(&self) -> &str {
        &self.module
    }
}

/// A mutant for each named f32 constant that the function's WGSL uses, in chunks it builds on too.
///
/// # Errors
/// If the function's chunk does not exist.
pub fn mutants(function: &Function) -> Result<Vec<Mutant>, JoinError> {
    let source = module(function)?;
    let used = names_used(&source);
    let mutant = |line: &str| {
        let (constant, value) = line.strip_prefix("const ")?.strip_suffix(';')?.split_once(": f32 = ")?;
        let moved = f32::from_bits(value.parse::<f32>().ok()?.to_bits() ^ MOVE);
        used.contains(constant).then(|| Mutant {
            constant: constant.to_owned(),
            module: source.replacen(line, &format!("const {constant}: f32 = {moved:?};"), 1),
        })
    };
    Ok(source.lines().filter_map(mutant).collect())
}

/// The names in the entry point, and in all functions that are named there or in one of those.
fn names_used(source: &str) -> BTreeSet<&str> {
    // Declarations begin at the first column, and a function ends with a brace there.
    let mut bodies = BTreeMap::new();
    for (at, _) in source.match_indices("\nfn ") {
        let text = &source[at..];
        let text = &text[..text.find("\n}").unwrap_or(text.len())];
        if let Some((name, _)) = text["\nfn ".len()..].split_once('(') {
            bodies.insert(name, text);
        }
    }
    let mut used = BTreeSet::new();
    let mut open = vec!["evaluate"];
    while let Some(body) = open.pop().and_then(|name| bodies.get(name)) {
        let code = body.lines().filter(|line| !line.trim_start().starts_with("//"));
        let names = code.flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
        open.extend(names.filter(|&name| used.insert(name) && bodies.contains_key(name)));
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions;

    fn constants(name: &str) -> Vec<String> {
        let function = functions::all().find(|function| function.name == name).unwrap();
        let mutants = mutants(function).unwrap();
        mutants.iter().map(|mutant| mutant.constant().to_owned()).collect()
    }

    #[test]
    fn each_constant_in_use_has_a_mutant() {
        let cbrt = constants("cbrt");
        assert_eq!(cbrt, ["MATH_CBRT_1", "MATH_CBRT_2", "MATH_CBRT_3"]);
        let sin = constants("sin");
        for constant in ["MATH_HALF_PI", "MATH_SIN_3", "MATH_COS_0", "MATH_HALF"] {
            assert!(sin.iter().any(|name| name == constant), "{sin:?} lacks `{constant}`");
        }
        assert!(!sin.iter().any(|name| name.starts_with("MATH_LOG")), "{sin:?}");
        assert_eq!(constants("wide_add"), [""; 0]);
    }

    #[test]
    fn every_constant_of_shared_math_is_used_by_some_function() {
        let used: BTreeSet<_> = crate::math::FUNCTIONS
            .iter()
            .flat_map(|function| constants(function.name))
            .collect();
        let declared = crate::CHUNKS.iter().flat_map(|chunk| chunk.source.lines());
        for line in declared.filter(|line| line.starts_with("const MATH_") && line.contains(": f32")) {
            let name = line["const ".len()..].split(':').next().unwrap();
            assert!(used.contains(name), "`{name}`");
        }
    }

    #[test]
    fn a_mutant_differs_in_one_line_and_is_valid() {
        for function in crate::math::FUNCTIONS {
            let source = module(function).unwrap();
            for mutant in mutants(function).unwrap() {
                let changed = source.lines().zip(mutant.module().lines()).filter(|(a, b)| a != b);
                assert_eq!(changed.count(), 1, "`{}` of `{}`", mutant.constant(), function.name);
                naga::front::wgsl::parse_str(mutant.module()).unwrap();
            }
        }
    }
}
