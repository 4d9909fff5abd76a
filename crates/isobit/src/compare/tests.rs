//! What agrees and what does not, and what is counted.

use super::*;
use crate::execution::{BufferFault, FaultKind};
use crate::kernel::{MetricKind, Symptom};
use crate::output::Values;
use crate::work::{Place, Receipt, StepReceipt};

const PLANE: Metric = Metric {
    name: "plane",
    kind: MetricKind::Plane(None),
    nan: NanPolicy::Never,
};

fn plane(values: &[f32]) -> Vec<Output> {
    vec![Output {
        metric: "plane",
        frame: 0,
        plane: 0,
        width: values.len() as u32,
        height: 1,
        values: Values::F32(values.to_vec()),
    }]
}

fn mismatches(rule: &Rule, reference: &[f32], twin: &[f32]) -> u64 {
    compare(&PLANE, &plane(reference), &plane(twin), rule)
        .unwrap()
        .mismatches
}

#[test]
fn exact_is_of_bits() {
    assert_eq!(mismatches(&Rule::EXACT, &[1.0, 0.0], &[1.0, -0.0]), 1);
    let signs = Rule::Exact { zero_signs_agree: true };
    assert_eq!(mismatches(&signs, &[0.0], &[-0.0]), 0);
    assert_eq!(mismatches(&Rule::EXACT, &[f32::INFINITY], &[f32::INFINITY]), 0);
}

#[test]
fn nan_agrees_by_class_and_only_where_the_contract_says_so() {
    let other_nan = f32::from_bits(0x7fc0_1234);
    for rule in [
        Rule::EXACT,
        Rule::Abs { abs: 1e9 },
        Rule::Ulp { ulp: 1 },
        Rule::Normwise { normwise: 1e9 },
        Rule::Rmse { rmse: 1e9 },
        Rule::Nrmse { nrmse: 1e9 },
    ] {
        for twin in [f32::NAN, other_nan, 1.0] {
            assert!(mismatches(&rule, &[f32::NAN], &[twin]) > 0, "{rule} {twin}");
        }
        assert!(mismatches(&rule, &[1.0], &[f32::NAN]) > 0, "{rule}");
    }
    let lenient = Metric {
        nan: NanPolicy::Class,
        ..PLANE
    };
    let result = compare(&lenient, &plane(&[f32::NAN]), &plane(&[other_nan]), &Rule::EXACT).unwrap();
    assert_eq!((result.mismatches, result.nan_both), (0, 1));
    let result = compare(&lenient, &plane(&[f32::NAN]), &plane(&[0.0]), &Rule::EXACT).unwrap();
    assert_eq!((result.mismatches, result.nan_one_side), (1, 1));
}

#[test]
fn bounds_are_inclusive() {
    let rule = Rule::AbsRel { abs: 0.5, rel: 0.25 };
    assert_eq!(mismatches(&rule, &[1.0, 4.0], &[1.5, 5.0]), 0);
    assert_eq!(mismatches(&rule, &[1.0, 4.0], &[1.6, 5.1]), 2);
    assert_eq!(mismatches(&Rule::Ulp { ulp: 1 }, &[1.0], &[1.0f32.next_up()]), 0);
    assert_eq!(
        mismatches(&Rule::Ulp { ulp: 1 }, &[1.0], &[1.0f32.next_up().next_up()]),
        1
    );
    assert_eq!(
        mismatches(&Rule::Abs { abs: 1.0 }, &[f32::INFINITY], &[f32::NEG_INFINITY]),
        1
    );
    assert_eq!(mismatches(&rule, &[f32::INFINITY; 2], &[f32::INFINITY, f32::MAX]), 1);
}

#[test]
fn fp16_accepts_both_roundings_and_no_other() {
    let between = 1.0 + 0.3 * 2f32.powi(-10);
    let (down, up) = (1.0, 1.0 + 2f32.powi(-10));
    assert_eq!(mismatches(&Rule::Fp16, &[between, between, 1.0], &[down, up, 1.0]), 0);
    assert_eq!(mismatches(&Rule::Fp16, &[between, 1.0], &[between.next_up(), up]), 2);
    assert_eq!(mismatches(&Rule::Fp16, &[-between, -between], &[-down, -up]), 0);
}

#[test]
fn nothing_and_unequal_lists_are_errors() {
    let one = plane(&[1.0]);
    assert!(matches!(
        compare(&PLANE, &[], &[], &Rule::EXACT),
        Err(CompareError::Nothing { .. })
    ));
    assert!(matches!(
        compare(&PLANE, &one, &[], &Rule::EXACT),
        Err(CompareError::Count { .. })
    ));
    let longer = plane(&[1.0, 2.0]);
    assert!(matches!(
        compare(&PLANE, &one, &longer, &Rule::EXACT),
        Err(CompareError::Shape { .. })
    ));
    let mut doubles = one.clone();
    doubles[0].values = Values::F64(vec![1.0]);
    assert!(matches!(
        compare(&PLANE, &one, &doubles, &Rule::EXACT),
        Err(CompareError::Shape { .. })
    ));
    let stray = [Output::score("other", 0, 1.0)];
    assert!(matches!(
        check_declared(&[PLANE], &stray),
        Err(CompareError::Undeclared { .. })
    ));
}

#[test]
fn the_witnesses_are_the_first_and_the_worst() {
    let result = compare(
        &PLANE,
        &plane(&[1.0, 2.0, 3.0]),
        &plane(&[1.0, 2.5, 5.0]),
        &Rule::Abs { abs: 0.1 },
    )
    .unwrap();
    assert_eq!((result.elements, result.mismatches, result.differing), (3, 2, 2));
    assert_eq!(result.first.unwrap().x, 1);
    assert_eq!(result.worst.as_ref().unwrap().x, 2);
    assert_eq!(result.max_abs, 2.0);
}

#[test]
fn ulps_cross_zero_and_count_integers() {
    let f = |v: f32| Values::F32(vec![v]).get(0);
    assert_eq!(ulp_distance(f(0.0), f(-0.0)), 1);
    assert_eq!(ulp_distance(f(f32::from_bits(1)), f(-f32::from_bits(1))), 3);
    let u = |v: u64| Values::U64(vec![v]).get(0);
    assert_eq!(ulp_distance(u(0), u(u64::MAX)), u64::MAX);
}

#[test]
fn rankings_differ_by_order_alone() {
    let score = Metric {
        kind: MetricKind::Score,
        ..PLANE
    };
    let scores = |values: [f64; 3]| -> Vec<_> {
        values
            .iter()
            .enumerate()
            .map(|(frame, &v)| Output::score("plane", frame, v))
            .collect()
    };
    let of = |twin| {
        compare(&score, &scores([1.0, 3.0, 2.0]), &scores(twin), &Rule::Ranking)
            .unwrap()
            .mismatches
    };
    assert_eq!(of([10.0, 30.0, 20.0]), 0);
    assert_eq!(of([1.0, 2.0, 3.0]), 2);
}

#[test]
fn a_lost_nan_is_confirmed_only_where_all_are_lost_and_nothing_else_differs() {
    let metric = Metric {
        nan: NanPolicy::Class,
        ..PLANE
    };
    let confirmed = |twin: [f32; 3]| {
        let reference = plane(&[f32::NAN, 1.0, f32::NAN]);
        let comparison = compare(&metric, &reference, &plane(&twin), &Rule::EXACT).unwrap();
        Symptom::NanLost.confirm(&[comparison], &[], &Receipt::default())
    };
    assert_eq!(confirmed([0.0, 1.0, 7.0]), Ok(()));
    assert!(confirmed([0.0, 1.0, f32::NAN]).is_err());
    assert!(confirmed([0.0, 2.0, 7.0]).is_err());
    assert!(confirmed([f32::NAN, 1.0, f32::NAN]).is_err());
}

#[test]
fn a_guard_hit_is_confirmed_only_behind_a_buffer_of_right_values() {
    let hit = |kind| BufferFault {
        frame: 0,
        buffer: "codes".to_owned(),
        kind,
        count: 4,
        first: 0,
    };
    let comparison = |twin| compare(&PLANE, &plane(&[1.0]), &plane(&[twin]), &Rule::EXACT).unwrap();
    let confirmed = |twin, faults: &[_]| {
        Symptom::GuardHit
            .confirm(&[comparison(twin)], faults, &Receipt::default())
            .is_ok()
    };
    assert!(confirmed(1.0, &[hit(FaultKind::GuardAfter)]));
    assert!(!confirmed(2.0, &[hit(FaultKind::GuardAfter)]));
    assert!(!confirmed(1.0, &[hit(FaultKind::GuardBefore)]));
    assert!(!confirmed(1.0, &[]));
}

#[test]
fn a_fall_back_is_confirmed_only_with_right_values_and_refused_by_every_other_symptom() {
    let receipt = |place| Receipt {
        steps: vec![StepReceipt {
            step: "blur".to_owned(),
            place,
        }],
    };
    let reason = String::new;
    let fell = receipt(Place::FellBack { reason: reason() });
    let declared = receipt(Place::Host { reason: reason() });
    let confirmed = |symptom: Symptom, twin, receipt| {
        let comparison = compare(&PLANE, &plane(&[1.0]), &plane(&[twin]), &Rule::EXACT).unwrap();
        symptom.confirm(&[comparison], &[], receipt).is_ok()
    };
    assert!(confirmed(Symptom::FellBack, 1.0, &fell));
    assert!(!confirmed(Symptom::FellBack, 2.0, &fell));
    assert!(!confirmed(Symptom::FellBack, 1.0, &declared));
    assert!(confirmed(Symptom::None, 1.0, &declared));
    assert!(!confirmed(Symptom::None, 1.0, &fell));
    assert!(confirmed(Symptom::OneUlp, 1.0 + f32::EPSILON, &declared));
    assert!(!confirmed(Symptom::OneUlp, 1.0 + f32::EPSILON, &fell));
}

#[test]
fn merging_parts_equals_comparing_the_whole() {
    let (reference, twin) = (plane(&[1.0, 2.0, 3.0, 4.0]), plane(&[1.0, 2.5, 3.0, 9.0]));
    let rule = Rule::Abs { abs: 0.1 };
    let mut whole = compare(&PLANE, &reference, &twin, &rule).unwrap();
    whole.merge(compare(&PLANE, &plane(&[1.0]), &plane(&[1.2]), &rule).unwrap());
    assert_eq!((whole.elements, whole.mismatches), (5, 3));
    assert_eq!((whole.ulps.buckets()[0], whole.ulps.total()), (2, 5));
    assert_eq!(whole.worst.unwrap().x, 3);
}
