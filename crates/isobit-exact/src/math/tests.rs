//! The Rust side against doubles: errors, special values.

use super::*;

/// The distance of `actual` from `exact` in units in the last place of an f32 of that size; infinite where the class or the
/// sign of a zero differs.
fn error(actual: f32, exact: f64) -> f64 {
    let ulp = |exact: f64| {
        let binade = f64::from_bits(exact.abs().to_bits() & 0x7ff0_0000_0000_0000);
        binade.clamp(2f64.powi(-126), 2f64.powi(127)) * 2f64.powi(-23)
    };
    if exact.is_nan() || actual.is_nan() {
        let same = exact.is_nan() && actual.to_bits() == core::NAN;
        return if same { 0.0 } else { f64::INFINITY };
    }
    if actual.is_sign_negative() != exact.is_sign_negative() {
        return f64::INFINITY;
    }
    let bounded = |value: f64| value.clamp(-(2f64.powi(128)), 2f64.powi(128));
    (bounded(actual.into()) - bounded(exact)).abs() / ulp(bounded(exact))
}

fn check(name: &str, bound: f64, inputs: impl Iterator<Item = f32>, function: fn(f32) -> f32, exact: fn(f64) -> f64) {
    for x in inputs {
        let (actual, exact) = (function(x), exact(x.into()));
        let error = error(actual, exact);
        assert!(
            error <= bound,
            "{name}({x:e}) is {actual:e}, {error} ULP from {exact:e}"
        );
    }
}

/// 2^20 numbers of the whole range, each a different one.
fn numbers() -> impl Iterator<Item = f32> {
    (0..1u32 << 20).map(|index| f32::from_bits(index.wrapping_mul(0x9e37_79b1).rotate_left(7) ^ index))
}

/// Numbers at which a function changes its way, with the 512 around each.
fn turns() -> impl Iterator<Item = f32> {
    let around = [
        0.0,
        1e-45,
        f32::MIN_POSITIVE,
        0.5,
        0.70710677,
        1.0,
        1.0491803,
        1.4142135,
        2.0,
        8.0,
        88.72284,
        128.0,
        150.0,
        256.0,
        f32::INFINITY,
    ];
    let centres = around.into_iter().flat_map(|x| [x, -x]);
    centres.flat_map(|x| (0..512u32).map(move |step| f32::from_bits(x.to_bits().wrapping_add(step).wrapping_sub(256))))
}

#[test]
fn unary_functions_keep_their_bounds() {
    let rows: [(&str, f64, fn(f32) -> f32, fn(f64) -> f64); 6] = [
        ("exp", 0.7, exp, libm::exp),
        ("exp2", 0.65, exp2, libm::exp2),
        ("log", 0.51, log, libm::log),
        ("log2", 0.51, log2, libm::log2),
        ("log10", 0.51, log10, libm::log10),
        ("cbrt", 0.55, cbrt, libm::cbrt),
    ];
    for (name, bound, function, exact) in rows {
        check(name, bound, numbers().chain(turns()), function, exact);
    }
}
