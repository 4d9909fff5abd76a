//! The table of functions that have a WGSL and a Rust side: what the tests, `cargo xtask exact` and the benchmarks go by.
//!
//! Each chunk that computes lists its functions beside it; [`all`] joins the lists.

use wildmatch::WildMatch;

use crate::{divide, math, ordered, seal, soft, soft64, square_root, wide};

/// The type of an operand or of a result: what WGSL computes on, and as what a mismatch is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `f32`. As a result, all NaN are equal.
    F32,
    /// Bits of an f32 in a `u32`. As a result, NaN is [`CANONICAL_F32`] and nothing else.
    F32Bits,
    /// Bits of an f64 in a `vec2<u32>`, the low word first. As a result, NaN is [`CANONICAL_F64`] and nothing else.
    F64Bits,
    /// Bits of an f16 in the low half of a `u32`. As a result, NaN is [`CANONICAL_F16`] and nothing else.
    F16Bits,
    /// `u32`.
    U32,
    /// `i32`.
    I32,
    /// Unsigned 64 bits in a `vec2<u32>`, the low word first.
    U64,
    /// Signed 64 bits in a `vec2<u32>`, the low word first.
    I64,
    /// `vec2<f32>` whose second part is small beside the first. As a result, NaN is compared by part and as a class.
    Pair,
    /// `bool`: 0 or 1.
    Bool,
}

/// The NaN that f32 results of soft arithmetic carry.
pub const CANONICAL_F32: u32 = 0x7fc0_0000;
/// The NaN that f64 results of soft arithmetic carry.
pub const CANONICAL_F64: u64 = 0x7ff8_0000_0000_0000;
/// The NaN that f16 results of soft arithmetic carry.
pub const CANONICAL_F16: u16 = 0x7e00;

impl Kind {
    /// Whether values take two words on the device.
    pub const fn is_double(self) -> bool {
        matches!(self, Self::F64Bits | Self::U64 | Self::I64 | Self::Pair)
    }

    /// Whether a result `actual` is the result `expected`.
    pub fn equal(self, expected: u64, actual: u64) -> bool {
        let part = |shift: u32| {
            let [expected, actual] = [expected, actual].map(|word| f32::from_bits((word >> shift) as u32));
            expected.to_bits() == actual.to_bits() || (expected.is_nan() && actual.is_nan())
        };
        match self {
            Self::F32 => part(0),
            Self::Pair => part(0) && part(32),
            _ => expected == actual,
        }
    }

    /// `word` with any NaN made canonical, where results of this kind carry the canonical one.
    pub fn canonical(self, word: u64) -> u64 {
        match self {
            Self::F32Bits if f32::from_bits(word as u32).is_nan() => CANONICAL_F32.into(),
            Self::F64Bits if f64::from_bits(word).is_nan() => CANONICAL_F64,
            Self::F16Bits if half::f16::from_bits(word as u16).is_nan() => CANONICAL_F16.into(),
            _ => word,
        }
    }

    /// `word` as a person reads it: its bits, and its value where that says more.
    pub fn show(self, word: u64) -> String {
        let single = |word: u64| f32::from_bits(word as u32);
        match self {
            Self::F32 | Self::F32Bits => format!("{word:#010x} ({:e})", single(word)),
            Self::F64Bits => format!("{word:#018x} ({:e})", f64::from_bits(word)),
            Self::F16Bits => format!("{word:#06x} ({:e})", half::f16::from_bits(word as u16).to_f32()),
            Self::U32 | Self::U64 => format!("{word:#x} ({word})"),
            Self::I32 => format!("{word:#x} ({})", word as u32 as i32),
            Self::I64 => format!("{word:#x} ({})", word as i64),
            Self::Pair => format!("{word:#018x} ({:e} + {:e})", single(word), single(word >> 32)),
            Self::Bool => (word != 0).to_string(),
        }
    }
}

/// The Rust side of a function.
#[derive(Clone, Copy, Debug)]
pub enum Rust {
    /// From one f32 to one f32.
    Unary(fn(f32) -> f32),
    /// From two f32 to one f32.
    Binary(fn(f32, f32) -> f32),
    /// From words to a word, each as its [`Kind`] says; absent operands are zero.
    Words(fn([u64; 3]) -> u64),
}

/// The operands for which a function is exact on every driver, those that flush subnormals included.
#[derive(Clone, Copy, Debug)]
pub struct Domain {
    /// The condition in words.
    pub words: &'static str,
    /// The condition.
    pub holds: fn([u64; 3]) -> bool,
}

/// One function with a WGSL and a Rust side.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Its name, unique in the table.
    pub name: &'static str,
    /// The chunk that holds it.
    pub chunk: &'static str,
    /// An expression over the operands `a`, `b` and `c`.
    pub wgsl: &'static str,
    /// One to three operands.
    pub operands: &'static [Kind],
    /// What it returns.
    pub result: Kind,
    /// The same in Rust: the specification.
    pub rust: Rust,
    /// Where it is exact; everywhere if `None`.
    pub domain: Option<Domain>,
}

impl Function {
    /// A function of one f32 that is exact for every operand.
    pub const fn unary(name: &'static str, chunk: &'static str, wgsl: &'static str, rust: fn(f32) -> f32) -> Self {
        Self {
            name,
            chunk,
            wgsl,
            operands: &[Kind::F32],
            result: Kind::F32,
            rust: Rust::Unary(rust),
            domain: None,
        }
    }

    /// A function of two f32 that is exact for every pair of operands.
    pub const fn binary(
        name: &'static str,
        chunk: &'static str,
        wgsl: &'static str,
        rust: fn(f32, f32) -> f32,
    ) -> Self {
        Self {
            name,
            chunk,
            wgsl,
            operands: &[Kind::F32; 2],
            result: Kind::F32,
            rust: Rust::Binary(rust),
            domain: None,
        }
    }

    /// The same, exact in `domain` only.
    #[must_use]
    pub const fn within(mut self, domain: Domain) -> Self {
        self.domain = Some(domain);
        self
    }

    /// How many operands there are to try, where that is feasible: one operand of one word at most.
    pub fn every_operand(&self) -> Option<u64> {
        match self.operands {
            [Kind::F16Bits] => Some(1 << 16),
            [kind] if !kind.is_double() => Some(1 << 32),
            _ => None,
        }
    }

    /// What Rust returns for `words`, NaN made canonical where the kind of the result asks for it.
    pub fn expected(&self, words: [u64; 3]) -> u64 {
        let f32_at = |index: usize| f32::from_bits(words[index] as u32);
        let word = match self.rust {
            Rust::Unary(function) => function(f32_at(0)).to_bits().into(),
            Rust::Binary(function) => function(f32_at(0), f32_at(1)).to_bits().into(),
            Rust::Words(function) => function(words),
        };
        self.result.canonical(word)
    }
}

/// Every function, in the order of chunks.
pub fn all() -> impl Iterator<Item = &'static Function> {
    [
        wide::FUNCTIONS,
        seal::FUNCTIONS,
        soft::FUNCTIONS,
        soft64::FUNCTIONS,
        divide::FUNCTIONS,
        square_root::FUNCTIONS,
        ordered::FUNCTIONS,
        math::FUNCTIONS,
    ]
    .into_iter()
    .flatten()
}

/// Why a choice of functions cannot be met.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectError {
    /// No function has that name.
    #[error("no function is named `{name}`")]
    Unknown {
        /// The name or pattern.
        name: String,
    },
    /// Every operand was asked for of a function that has more than 2^32.
    #[error("`{name}` has too many operands to try them all")]
    TooMany {
        /// The name of the function.
        name: String,
    },
}

/// The functions that `patterns` name, each once and in the order of [`all`], from `from` on where it is given; all where
/// there are no patterns. A pattern is a name, or has `*` and `?` for any characters and any one. If `exhaustive`, only those
/// of which every operand can be tried.
///
/// # Errors
/// If a pattern or `from` matches no function, or if every operand of a function with too many is asked for by its name.
pub fn select(
    patterns: &[String],
    from: Option<&str>,
    exhaustive: bool,
) -> Result<Vec<&'static Function>, SelectError> {
    let place = |name: &str| {
        let place = all().position(|function| WildMatch::new(name).matches(function.name));
        place.ok_or_else(|| SelectError::Unknown { name: name.to_owned() })
    };
    let first = from.map_or(Ok(0), place)?;
    for pattern in patterns {
        place(pattern)?;
        if exhaustive && all().any(|function| function.name == pattern && function.every_operand().is_none()) {
            return Err(SelectError::TooMany { name: pattern.clone() });
        }
    }
    let wanted = |name: &str| patterns.iter().any(|pattern| WildMatch::new(pattern).matches(name));
    Ok(all()
        .skip(first)
        .filter(|function| patterns.is_empty() || wanted(function.name))
        .filter(|function| !exhaustive || function.every_operand().is_some())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(patterns: &[&str], from: Option<&str>, exhaustive: bool) -> Result<Vec<&'static str>, SelectError> {
        let patterns: Vec<_> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
        let chosen = select(&patterns, from, exhaustive)?;
        Ok(chosen.iter().map(|function| function.name).collect())
    }

    #[test]
    fn functions_are_chosen_by_name_by_pattern_and_by_place() {
        assert_eq!(names(&[], None, false).unwrap().len(), all().count());
        assert_eq!(names(&["sin", "cos", "sin"], None, false).unwrap(), ["sin", "cos"]);
        assert_eq!(names(&["log*"], None, true).unwrap(), ["log", "log2", "log10"]);
        assert_eq!(names(&["log*"], Some("log2"), false).unwrap(), ["log2", "log10"]);
        let every = names(&[], None, true).unwrap();
        assert!(every.contains(&"soft_sqrt") && every.contains(&"soft_from_f16") && !every.contains(&"pow"));
    }

    #[test]
    fn a_choice_that_cannot_be_met_is_refused() {
        let unknown = |name: &str| Err(SelectError::Unknown { name: name.to_owned() });
        assert_eq!(names(&["sine"], None, false), unknown("sine"));
        assert_eq!(names(&[], Some("moon"), false), unknown("moon"));
        let many = SelectError::TooMany { name: "pow".to_owned() };
        assert_eq!(names(&["sin", "pow"], None, true), Err(many));
    }
}
