//! Whether a control's fault shows itself in the way, and only in the way, that it must.

use crate::compare::Comparison;
use crate::execution::{BufferFault, FaultKind};
use crate::kernel::Symptom;
use crate::work::Receipt;

impl Symptom {
    /// Whether a broken twin differs in just the way that its fault implies.
    ///
    /// # Errors
    /// With a sentence on what was found instead.
    pub fn confirm(self, comparisons: &[Comparison], faults: &[BufferFault], receipt: &Receipt) -> Result<(), String> {
        let sum = |count: fn(&Comparison) -> u64| comparisons.iter().map(count).sum::<u64>();
        let mismatches = sum(|c| c.mismatches);
        let faulty = |kind: FaultKind| faults.iter().filter(|f| f.kind == kind).map(|f| f.count).sum::<u64>();
        let (untouched, unstable) = (faulty(FaultKind::Untouched), faulty(FaultKind::Unstable));
        let expect = |holds: bool, what: String| if holds { Ok(()) } else { Err(what) };

        if self == Self::FellBack {
            return expect(
                mismatches == 0 && receipt.fallen_back().is_some(),
                format!("{mismatches} mismatches, and every step ran where it is declared to"),
            );
        }
        if let Some((step, reason)) = receipt.fallen_back() {
            return Err(format!("step `{step}` fell back to the host: {reason}"));
        }
        if self == Self::None {
            return expect(
                mismatches == 0 && faults.is_empty(),
                format!("{mismatches} mismatches and {} faults where none can be", faults.len()),
            );
        }
        if self == Self::Unstable {
            return expect(unstable > 0, "the result does not depend on earlier memory".to_owned());
        }
        if self == Self::GuardHit {
            return expect(
                mismatches == 0 && faulty(FaultKind::GuardAfter) > 0,
                format!(
                    "{mismatches} mismatches, {} bytes overwritten behind a buffer",
                    faulty(FaultKind::GuardAfter)
                ),
            );
        }
        if mismatches == 0 {
            return Err("no difference was found".to_owned());
        }
        let all = |count: u64| count == mismatches;
        match self {
            Self::None | Self::Unstable | Self::GuardHit | Self::FellBack => Ok(()),
            Self::Border(radius) => {
                let reached = comparisons.iter().map(|c| c.spread.edge_distance).max().unwrap_or(0);
                let interior = comparisons.iter().all(|c| c.spread.edge_distance_possible > radius);
                expect(
                    reached < radius && interior,
                    format!("differences reach {reached} samples from the edge, not below {radius}"),
                )
            }
            Self::LastColumnUntouched => expect(
                all(sum(|c| c.spread.last_column)) && untouched == mismatches,
                format!("{mismatches} mismatches, {untouched} elements untouched"),
            ),
            Self::OneCode => expect(
                all(sum(|c| c.spread.by_one)),
                format!(
                    "{} of {mismatches} mismatches are of one code",
                    sum(|c| c.spread.by_one)
                ),
            ),
            Self::OneParity => expect(
                all(sum(|c| c.spread.even_columns)) || all(sum(|c| c.spread.odd_columns)),
                "both even and odd columns differ".to_owned(),
            ),
            Self::LaterRows => expect(
                sum(|c| c.spread.first_row) == 0,
                format!("{} mismatches are in the first row", sum(|c| c.spread.first_row)),
            ),
            Self::Short => expect(
                all(sum(|c| c.spread.below)),
                format!(
                    "{} of {mismatches} mismatches are below the reference",
                    sum(|c| c.spread.below)
                ),
            ),
            Self::Ulps(bound) => {
                let worst = comparisons.iter().map(|c| c.max_ulp).max().unwrap_or(0);
                expect(
                    worst <= bound && sum(|c| c.nan_one_side) == 0,
                    format!("differences reach {worst} ULP, not at most {bound}"),
                )
            }
            Self::OneUlp => {
                let worst = comparisons.iter().map(|c| c.max_ulp).max().unwrap_or(0);
                expect(
                    mismatches == 1 && worst == 1,
                    format!("{mismatches} mismatches of up to {worst} ULP"),
                )
            }
            Self::NanLost => {
                let (lost, kept) = (sum(|c| c.nan_one_side), sum(|c| c.nan_both));
                expect(
                    all(lost) && kept == 0,
                    format!("{lost} of {mismatches} mismatches are a NaN on one side, {kept} NaN are on both"),
                )
            }
        }
    }
}
