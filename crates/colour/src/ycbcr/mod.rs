//! Y'CbCr as ITU-R BT.601, BT.709 and BT.2020 define it: variants, fixed-point coefficients, and packed planes of codes.

pub(crate) mod codes;
pub(crate) mod coefficients;

pub use coefficients::{FRACTION_BITS, FromRgb, ToRgb};

/// A matrix and a range of codes: what Y'CbCr codes mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The weights of red, green and blue in luma.
    pub weights: Weights,
    /// Which codes stand for black and white.
    pub range: Range,
}

/// The weights of red and blue in luma, in ten-thousandths; green has the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// K_R.
    pub red: u32,
    /// K_B.
    pub blue: u32,
}

/// ITU-R BT.601-7, section 2.5.1.
pub const BT601: Weights = Weights { red: 2990, blue: 1140 };
/// ITU-R BT.709-6, item 3.2.
pub const BT709: Weights = Weights { red: 2126, blue: 722 };
/// ITU-R BT.2020-2, table 4, non-constant luminance.
pub const BT2020: Weights = Weights { red: 2627, blue: 593 };

/// Which codes of depth `d` stand for black, white and the ends of chroma (ITU-T H.273, equations for
/// `VideoFullRangeFlag`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Luma from 16·2^(d−8) to 235·2^(d−8), chroma 112·2^(d−8) to either side of the middle.
    Limited,
    /// Luma from 0 to 2^d − 1, chroma half of that to either side of the middle.
    Full,
}

/// Every variant, in the order in which kernels are declared.
pub const VARIANTS: [Variant; 6] = [
    Variant::new(BT601, Range::Limited),
    Variant::new(BT601, Range::Full),
    Variant::new(BT709, Range::Limited),
    Variant::new(BT709, Range::Full),
    Variant::new(BT2020, Range::Limited),
    Variant::new(BT2020, Range::Full),
];

impl Variant {
    const fn new(weights: Weights, range: Range) -> Self {
        Self { weights, range }
    }

    /// The code of black luma at depth `bits`.
    pub const fn black(self, bits: u32) -> u32 {
        match self.range {
            Range::Limited => 16 << (bits - 8),
            Range::Full => 0,
        }
    }

    /// The codes from black to white at depth `bits`.
    pub const fn luma_span(self, bits: u32) -> u32 {
        match self.range {
            Range::Limited => 219 << (bits - 8),
            Range::Full => max_code(bits),
        }
    }

    /// The codes from one end of chroma to the other at depth `bits`.
    pub const fn chroma_span(self, bits: u32) -> u32 {
        match self.range {
            Range::Limited => 224 << (bits - 8),
            Range::Full => max_code(bits),
        }
    }
}

/// The code of no chroma at depth `bits`.
pub const fn middle(bits: u32) -> u32 {
    1 << (bits - 1)
}

/// The highest code at depth `bits`.
pub const fn max_code(bits: u32) -> u32 {
    (1 << bits) - 1
}
