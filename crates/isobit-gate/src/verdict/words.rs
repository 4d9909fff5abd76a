//! The sentences and numbers that a verdict is told in.

use std::collections::BTreeMap;

use isobit::execution::{BufferFault, FaultKind};
use isobit::output::{ElementKind, Value};

use crate::report::Check;

/// How many findings a sentence names before it counts the rest.
const NAMED: usize = 3;

/// What is wrong with a cell, in one sentence.
pub(super) fn failure(checks: &[Check], faults: &[BufferFault]) -> String {
    let broken = checks.iter().filter(|check| check.comparison.mismatches > 0);
    let broken = broken.map(|check| {
        let c = &check.comparison;
        let verb = if c.mismatches == 1 { "breaks" } else { "break" };
        format!(
            "{} of {} elements of `{}` {verb} the rule {}",
            c.mismatches, c.elements, check.metric, check.tolerance
        )
    });
    let mut by_buffer: BTreeMap<(&str, u8), (FaultKind, u64)> = BTreeMap::new();
    for fault in faults {
        let key = (fault.buffer.as_str(), fault.kind as u8);
        by_buffer.entry(key).or_insert((fault.kind, 0)).1 += fault.count;
    }
    let damaged = by_buffer.iter().map(|((buffer, _), &(kind, count))| {
        let (unit, damage) = match kind {
            FaultKind::Untouched => ("element of", "never written"),
            FaultKind::Unstable => ("element of", "not the same in two runs"),
            FaultKind::GuardBefore => ("byte before", "overwritten"),
            FaultKind::GuardAfter => ("byte behind", "overwritten"),
        };
        let (unit, verb) = if count == 1 {
            (unit.to_owned(), "was")
        } else {
            (unit.replacen(' ', "s ", 1), "were")
        };
        format!("{count} {unit} buffer `{buffer}` {verb} {damage}")
    });
    let mut findings: Vec<String> = broken.chain(damaged).collect();
    let rest = findings.len().saturating_sub(NAMED);
    findings.truncate(NAMED);
    let more = if rest > 0 {
        format!("; and {rest} more")
    } else {
        String::new()
    };
    format!("{}{more}", findings.join("; "))
}

/// The value with 17 significant digits, which tell any two doubles apart; integers in full, `inf`, `-inf` and `nan` by
/// name. Very large and very small numbers carry an exponent.
pub(super) fn digits(value: Value) -> String {
    let number = value.as_f64();
    if matches!(value.kind, ElementKind::U32 | ElementKind::U64) {
        return value.bits.to_string();
    }
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number == 0.0 || number.is_infinite() {
        return number.to_string();
    }
    let scientific = format!("{number:.16e}");
    let exponent = scientific.split_once('e').and_then(|(_, e)| e.parse::<i32>().ok());
    match exponent {
        // Within this range a plain decimal is as exact and easier to read.
        Some(exponent @ -5..=16) => format!("{number:.*}", (16 - exponent) as usize),
        _ => scientific,
    }
}

#[cfg(test)]
mod tests {
    use isobit::output::Values;

    use super::*;

    #[test]
    fn seventeen_digits_are_readable_and_exact() {
        let text = |v: f64| digits(Values::F64(vec![v]).get(0));
        assert_eq!(text(29.631_034_275_866_17), "29.631034275866170");
        assert_eq!(text(-0.001), "-0.0010000000000000000");
        assert_eq!(text(9.9999999999999999), "10.000000000000000");
        assert_eq!(text(1e300), "1.0000000000000001e300");
        assert_eq!(text(f64::INFINITY), "inf");
        assert_eq!(text(-f64::INFINITY), "-inf");
        assert_eq!(text(f64::NAN), "nan");
        assert_eq!(text(-0.0), "-0");
        assert_eq!(digits(Values::U64(vec![u64::MAX]).get(0)), "18446744073709551615");
    }

    proptest::proptest! {
        #[test]
        fn every_double_survives(bits: u64) {
            let value = f64::from_bits(bits);
            let text = digits(Values::F64(vec![value]).get(0));
            let back: f64 = text.parse().unwrap();
            proptest::prop_assert!(back.to_bits() == bits || (back.is_nan() && value.is_nan()), "{text}");
        }
    }
}
