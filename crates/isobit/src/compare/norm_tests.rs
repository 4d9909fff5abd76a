//! Errors in proportion to a whole plane: what the norms are of, and that they excuse nothing else.

use proptest::prelude::*;

use super::*;
use crate::kernel::MetricKind;
use crate::output::Values;

const PLANE: Metric = Metric {
    name: "plane",
    kind: MetricKind::Plane(None),
    nan: NanPolicy::Never,
};
const NORMWISE: Rule = Rule::Normwise { normwise: 0.125 };
const NRMSE: Rule = Rule::Nrmse { nrmse: 0.125 };

fn planes(planes: &[&[f64]]) -> Vec<Output> {
    let plane = |(plane, values): (usize, &&[f64])| Output {
        metric: "plane",
        frame: 0,
        plane,
        width: values.len() as u32,
        height: 1,
        values: Values::F64(values.to_vec()),
    };
    planes.iter().enumerate().map(plane).collect()
}

fn found(rule: &Rule, reference: &[&[f64]], twin: &[&[f64]]) -> Comparison {
    compare(&PLANE, &planes(reference), &planes(twin), rule).unwrap()
}

fn mismatches(rule: &Rule, reference: &[f64], twin: &[f64]) -> u64 {
    found(rule, &[reference], &[twin]).mismatches
}

#[test]
fn a_small_sum_beside_large_samples_may_be_off_in_proportion_to_them() {
    assert_eq!(mismatches(&NORMWISE, &[-8.0, 0.0], &[-8.0, 1.0]), 0);
    assert_eq!(mismatches(&NORMWISE, &[-8.0, 0.0], &[-8.0, 1.0f64.next_up()]), 1);
    // The error 2 of one of two elements is an RMSE of √2, and √2 · 8 is the norm of what is 8 and 8√3.
    let reference = [8.0, 8.0 * 3f64.sqrt()];
    let allowed = 0.125 * 128f64.sqrt() * 2f64.sqrt();
    let off = |by: f64| [reference[0] + by, reference[1]];
    assert_eq!(mismatches(&NRMSE, &reference, &off(allowed * 0.999)), 0);
    assert_eq!(mismatches(&NRMSE, &reference, &off(allowed * 1.001)), 1);
}

#[test]
fn below_a_peak_of_one_the_bound_is_absolute() {
    for peak in [0.0, 0.01, 1.0] {
        assert_eq!(mismatches(&NORMWISE, &[peak, 0.5], &[peak, 0.625]), 0);
        assert_eq!(mismatches(&NORMWISE, &[peak, 0.5], &[peak, 0.6250001]), 1);
        assert_eq!(mismatches(&NRMSE, &[peak], &[peak + 0.1249]), 0);
        assert_eq!(mismatches(&NRMSE, &[peak], &[peak + 0.1251]), 1);
    }
}

#[test]
fn each_plane_has_a_norm_of_its_own_and_the_reference_alone_has_one() {
    for rule in [NORMWISE, NRMSE] {
        let (dark, bright) = ([0.0, 0.0], [64.0, 64.0]);
        let result = found(&rule, &[&dark, &bright], &[&[0.0, 1.0], &bright]);
        assert_eq!(
            (result.mismatches, result.worst.map(|w| w.plane)),
            (1, Some(0)),
            "{rule}"
        );
        assert_eq!(found(&rule, &[&dark, &bright], &[&dark, &[64.0, 65.0]]).mismatches, 0);
        // A twin cannot excuse its errors by a peak of its own.
        assert!(mismatches(&rule, &[0.0, 0.0], &[1e9, 1.0]) > 0, "{rule}");
    }
}

#[test]
fn the_largest_error_is_told_relative_to_the_norm() {
    let result = found(&NORMWISE, &[&[16.0, 0.0], &[0.5, 0.0]], &[&[16.0, 4.0], &[0.5, 0.125]]);
    assert_eq!((result.max_measure, result.max_abs), (Some(0.25), 4.0));
    let worst = result.worst.unwrap();
    assert_eq!((result.mismatches, worst.x, worst.error), (1, 1, 0.25));
    assert_eq!(found(&NORMWISE, &[&[16.0]], &[&[16.0]]).max_measure, Some(0.0));
    assert_eq!(found(&NRMSE, &[&[16.0]], &[&[20.0]]).max_measure, Some(0.25));
}

proptest! {
    #[test]
    fn one_element_beyond_the_bound_fails_wherever_it_is(
        reference in prop::collection::vec(-1e12..1e12f64, 1..40),
        at in any::<prop::sample::Index>(),
        share in 0.0..2.0f64,
    ) {
        let peak = reference.iter().fold(1.0f64, |peak, v| peak.max(v.abs()));
        let mut twin = reference.clone();
        let at = at.index(twin.len());
        twin[at] += share * 0.125 * peak;
        // What the addition rounds may lie on either side of the bound.
        prop_assume!((share - 1.0).abs() > 1e-9);
        prop_assert_eq!(mismatches(&NORMWISE, &reference, &twin), u64::from(share > 1.0));
    }

    #[test]
    fn what_is_not_finite_is_no_norm_and_has_to_be_matched(
        mut reference in prop::collection::vec(-1.0..1.0f64, 2..20),
        at in any::<prop::sample::Index>(),
        infinity in prop::sample::select(vec![f64::INFINITY, f64::NEG_INFINITY]),
        wrong in prop::sample::select(vec![0.0, 1e300, -1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]),
    ) {
        let at = at.index(reference.len());
        reference[at] = infinity;
        for rule in [NORMWISE, NRMSE] {
            prop_assert_eq!(mismatches(&rule, &reference, &reference), 0);
            let mut twin = reference.clone();
            twin[at] = wrong;
            prop_assert_eq!(mismatches(&rule, &reference, &twin) == 0, wrong == infinity, "{}", rule);
            let mut twin = reference.clone();
            let other = (at + 1) % twin.len();
            twin[other] += 10.0;
            prop_assert!(mismatches(&rule, &reference, &twin) > 0, "{}", rule);
        }
    }

    #[test]
    fn scales_beyond_the_squares_of_f64_keep_a_finite_norm(exponent in 160..300i32) {
        let large = 10f64.powi(exponent);
        prop_assert!(mismatches(&NRMSE, &[large, large], &[large, 2.0 * large]) > 0);
        prop_assert!(mismatches(&NORMWISE, &[large, large], &[large, 2.0 * large]) > 0);
    }
}
