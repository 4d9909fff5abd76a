//! Numbers as a person reads them, the same everywhere. Exact values are printed by `isobit::output::Value`, not here.

/// A count with a comma between groups of three digits.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 cell`, `2 cells`.
pub fn counted(value: u64, noun: &str) -> String {
    let plural = if value == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(value))
}

/// A share with one decimal, never rounded to none or all of the whole when it is neither.
pub fn percent(part: u64, whole: u64) -> String {
    if part == 0 || whole == 0 {
        return "0%".to_owned();
    }
    if part >= whole {
        return "100%".to_owned();
    }
    let share = part as f64 * 100.0 / whole as f64;
    if share < 0.1 {
        "<0.1%".to_owned()
    } else if share > 99.9 {
        ">99.9%".to_owned()
    } else {
        format!("{share:.1}%")
    }
}

/// An error or a bound with three significant digits; whole numbers below a million in full.
pub fn measure(value: f64) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "inf" } else { "-inf" }.to_owned()
    } else if value.fract() == 0.0 && (0.0..1e6).contains(&value) {
        count(value as u64)
    } else {
        format!("{value:.2e}")
    }
}

/// A distance in representable numbers; the largest `u64` stands for NaN on one side.
pub fn ulp(value: u64) -> String {
    if value == u64::MAX {
        "NaN".to_owned()
    } else if value < 100_000_000 {
        count(value)
    } else {
        format!("{:.2e}", value as f64)
    }
}

/// A duration given in milliseconds.
pub fn duration(ms: f64) -> String {
    // A clock that ran backwards or a missing measurement must not print as garbage.
    let ms = if ms.is_finite() { ms.max(0.0) } else { 0.0 };
    if ms < 999.5 {
        return format!("{ms:.0} ms");
    }
    let seconds = ms / 1000.0;
    if seconds < 59.95 {
        return format!("{seconds:.1} s");
    }
    let whole = seconds.round() as u64;
    format!("{} min {:02} s", whole / 60, whole % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn counts_are_grouped() {
        let all = [0, 7, 999, 1_000, 65_535, 1_234_567, u64::MAX].map(count);
        assert_eq!(
            all,
            [
                "0",
                "7",
                "999",
                "1,000",
                "65,535",
                "1,234,567",
                "18,446,744,073,709,551,615"
            ]
        );
        assert_eq!(
            [counted(0, "cell"), counted(1, "cell"), counted(1000, "cell")],
            ["0 cells", "1 cell", "1,000 cells"]
        );
    }

    #[test]
    fn a_share_is_never_rounded_to_none_or_all() {
        assert_eq!(percent(0, 0), "0%");
        assert_eq!(percent(1, 1_000_000), "<0.1%");
        assert_eq!(percent(999_999, 1_000_000), ">99.9%");
        assert_eq!(percent(3, 12), "25.0%");
        assert_eq!(percent(12, 12), "100%");
    }

    #[test]
    fn measures_have_three_digits() {
        let all = [0.0, 1.0, 65_535.0, 0.1 + 0.2, 1e-7 / 3.0, 1e9, f64::NAN, f64::INFINITY].map(measure);
        assert_eq!(all, ["0", "1", "65,535", "3.00e-1", "3.33e-8", "1.00e9", "NaN", "inf"]);
        assert_eq!(
            [ulp(0), ulp(8_388_608), ulp(1 << 60), ulp(u64::MAX)],
            ["0", "8,388,608", "1.15e18", "NaN"]
        );
    }

    #[test]
    fn durations_take_the_unit_that_fits() {
        let all = [-1.0, 0.4, 999.4, 999.6, 12_345.0, 59_960.0, 125_000.0, f64::NAN].map(duration);
        assert_eq!(
            all,
            [
                "0 ms",
                "0 ms",
                "999 ms",
                "1.0 s",
                "12.3 s",
                "1 min 00 s",
                "2 min 05 s",
                "0 ms"
            ]
        );
    }

    proptest! {
        #[test]
        fn a_grouped_count_reads_back(value: u64) {
            let text = count(value);
            prop_assert_eq!(text.replace(',', "").parse::<u64>().unwrap(), value);
            prop_assert!(text.split(',').skip(1).all(|group| group.len() == 3));
        }

        #[test]
        fn a_part_is_neither_none_nor_all(whole in 2_u64.., fraction in 0.0..1.0_f64) {
            let part = ((whole as f64 * fraction) as u64).clamp(1, whole - 1);
            let text = percent(part, whole);
            prop_assert!(text != "0%" && text != "0.0%" && text != "100%" && text != "100.0%", "{}", text);
        }
    }
}
