//! When a twin's number is accepted for the reference's. Holds the rules; [`crate::compare`] applies them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A rule that every element of a metric has to satisfy.
///
/// Bounds are inclusive. A test is always of the form `!(error <= bound)`, so an error that is not a number fails.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Rule {
    /// The same bits.
    Exact {
        /// Whether −0 and +0 agree.
        #[serde(default)]
        zero_signs_agree: bool,
    },
    /// `|twin − reference| ≤ abs`.
    Abs {
        /// The bound, in the metric's unit.
        abs: f64,
    },
    /// `|twin − reference| ≤ max(abs, rel · |reference|)`.
    AbsRel {
        /// The absolute bound, in the metric's unit.
        abs: f64,
        /// The bound relative to the reference.
        rel: f64,
    },
    /// At most this many representable numbers apart.
    Ulp {
        /// The bound in units in the last place.
        ulp: u64,
    },
    /// The Euclidean distance of the pixel pair in Oklab.
    DeltaEOk {
        /// The bound; the lightness axis runs from 0 to 1.
        delta_e: f64,
    },
    /// The CIEDE2000 colour difference of the pixel pair.
    DeltaE2000 {
        /// The bound; the lightness axis runs from 0 to 100.
        delta_e: f64,
    },
    /// `|twin − reference| ≤ normwise · max(1, peak)`, where `peak` is the largest finite magnitude that the reference has in
    /// the plane: the error in the maximum norm, relative to it above 1.
    ///
    /// It is for filters of light. Where large samples cancel, what rounding leaves is in proportion to them and not to the
    /// small sum beside them, so that no bound relative to the element itself can hold (Higham, *Accuracy and Stability of
    /// Numerical Algorithms*, 2nd edition, sections 1.7 and 3.1). Planes within −1..1 are held to the absolute bound.
    Normwise {
        /// The bound for a plane whose peak is 1 or less, in the metric's unit.
        normwise: f64,
    },
    /// The root of the mean squared error of each plane of each frame.
    Rmse {
        /// The bound, in the metric's unit.
        rmse: f64,
    },
    /// `RMSE ≤ nrmse · max(1, RMS)`, where `RMS` is the root of the mean square of the plane's reference, infinities counted
    /// as zero: the error in the Euclidean norm, relative to it above 1.
    Nrmse {
        /// The bound for a plane whose root mean square is 1 or less, in the metric's unit.
        nrmse: f64,
    },
    /// The frames in the same order when sorted by score, ties by frame number.
    Ranking,
    /// One of the two binary16 numbers that enclose the reference.
    Fp16,
}

impl Rule {
    /// Equality of bits.
    pub const EXACT: Self = Self::Exact {
        zero_signs_agree: false,
    };

    /// Whether the rule is equality.
    pub const fn is_exact(&self) -> bool {
        matches!(self, Self::Exact { .. })
    }

    /// The rule with its bounds multiplied by `factor`; rules without a magnitude are returned as they are.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        match *self {
            Self::Abs { abs } => Self::Abs { abs: abs * factor },
            Self::AbsRel { abs, rel } => Self::AbsRel {
                abs: abs * factor,
                rel: rel * factor,
            },
            Self::DeltaEOk { delta_e } => Self::DeltaEOk {
                delta_e: delta_e * factor,
            },
            Self::DeltaE2000 { delta_e } => Self::DeltaE2000 {
                delta_e: delta_e * factor,
            },
            Self::Normwise { normwise } => Self::Normwise {
                normwise: normwise * factor,
            },
            Self::Rmse { rmse } => Self::Rmse { rmse: rmse * factor },
            Self::Nrmse { nrmse } => Self::Nrmse { nrmse: nrmse * factor },
            Self::Exact { .. } | Self::Ulp { .. } | Self::Ranking | Self::Fp16 => self.clone(),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact {
                zero_signs_agree: false,
            } => f.write_str("exact"),
            Self::Exact { zero_signs_agree: true } => f.write_str("exact, -0 = +0"),
            Self::Abs { abs } => write!(f, "abs {abs:e}"),
            Self::AbsRel { abs, rel } => write!(f, "max(abs {abs:e}, rel {rel:e})"),
            Self::Ulp { ulp } => write!(f, "{ulp} ULP"),
            Self::DeltaEOk { delta_e } => write!(f, "ΔE-Oklab {delta_e}"),
            Self::DeltaE2000 { delta_e } => write!(f, "ΔE2000 {delta_e}"),
            Self::Normwise { normwise } => write!(f, "normwise {normwise:e}"),
            Self::Rmse { rmse } => write!(f, "RMSE {rmse:e}"),
            Self::Nrmse { nrmse } => write!(f, "NRMSE {nrmse:e}"),
            Self::Ranking => f.write_str("same ranking"),
            Self::Fp16 => f.write_str("a neighbouring fp16"),
        }
    }
}
