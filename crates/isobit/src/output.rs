//! The numbers that a reference or a twin yields. Holds no opinion on whether two of them agree.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A vector of elements of one type.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// IEEE 754 binary32.
    F32(Vec<f32>),
    /// IEEE 754 binary64.
    F64(Vec<f64>),
    /// Unsigned 32-bit integers.
    U32(Vec<u32>),
    /// Unsigned 64-bit integers.
    U64(Vec<u64>),
}

impl Values {
    /// The number of elements.
    pub const fn len(&self) -> usize {
        match self {
            Self::F32(v) => v.len(),
            Self::F64(v) => v.len(),
            Self::U32(v) => v.len(),
            Self::U64(v) => v.len(),
        }
    }

    /// Whether there are no elements.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element type.
    pub const fn kind(&self) -> ElementKind {
        match self {
            Self::F32(_) => ElementKind::F32,
            Self::F64(_) => ElementKind::F64,
            Self::U32(_) => ElementKind::U32,
            Self::U64(_) => ElementKind::U64,
        }
    }

    /// Element `index`.
    ///
    /// # Panics
    /// If `index` is out of range.
    pub fn get(&self, index: usize) -> Value {
        let bits = match self {
            Self::F32(v) => u64::from(v[index].to_bits()),
            Self::F64(v) => v[index].to_bits(),
            Self::U32(v) => u64::from(v[index]),
            Self::U64(v) => v[index],
        };
        Value {
            kind: self.kind(),
            bits,
        }
    }

    /// The elements as little-endian bytes, the form in which they are hashed.
    pub fn to_le_bytes(&self) -> Vec<u8> {
        match self {
            Self::F32(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
            Self::F64(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
            Self::U32(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
            Self::U64(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
        }
    }
}

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ElementKind {
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
    /// Unsigned 32-bit integer.
    U32,
    /// Unsigned 64-bit integer.
    U64,
}

/// One element, kept by its bits so that nothing is lost on the way to a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Value {
    /// How to read `bits`.
    pub kind: ElementKind,
    /// The bit pattern, zero-extended.
    pub bits: u64,
}

impl Value {
    /// The value as a double; integers above 2^53 are rounded.
    pub fn as_f64(self) -> f64 {
        match self.kind {
            ElementKind::F32 => f64::from(self.as_f32()),
            ElementKind::F64 => f64::from_bits(self.bits),
            ElementKind::U32 | ElementKind::U64 => self.bits as f64,
        }
    }

    fn as_f32(self) -> f32 {
        f32::from_bits(self.bits as u32)
    }

    /// Whether this is a float and not a number.
    pub fn is_nan(self) -> bool {
        self.as_f64().is_nan()
    }

    /// The bit pattern in hexadecimal, as wide as the element.
    pub fn hex(self) -> String {
        match self.kind {
            ElementKind::F32 | ElementKind::U32 => format!("0x{:08x}", self.bits),
            ElementKind::F64 | ElementKind::U64 => format!("0x{:016x}", self.bits),
        }
    }
}

/// Decimal, with as many digits as tell the element from its neighbours.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ElementKind::F32 => write!(f, "{:?}", self.as_f32()),
            ElementKind::F64 => write!(f, "{:?}", f64::from_bits(self.bits)),
            ElementKind::U32 | ElementKind::U64 => write!(f, "{}", self.bits),
        }
    }
}

/// One compared output of a kernel for one plane of one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// The metric that the values belong to.
    pub metric: &'static str,
    /// Index of the frame.
    pub frame: usize,
    /// Index of the plane; 0 for a score.
    pub plane: usize,
    /// Elements in a row; 1 for a score.
    pub width: u32,
    /// Rows; 1 for a score.
    pub height: u32,
    /// The elements, row by row.
    pub values: Values,
}

impl Output {
    /// A single number for a whole frame.
    pub fn score(metric: &'static str, frame: usize, score: f64) -> Self {
        Self {
            metric,
            frame,
            plane: 0,
            width: 1,
            height: 1,
            values: Values::F64(vec![score]),
        }
    }
}
