//! The Rust side against doubles of `libm`, whose errors of less than an f64 ULP do not show. Against more bits on fewer
//! operands: `oracle`.

mod oracle;
mod pinned;
mod special;

use std::f32::consts;

use super::*;
use crate::check::error_in_ulp as error;

const INF: f32 = f32::INFINITY;
const LEAST: f32 = f32::from_bits(1);

/// The documented bound of a function.
fn bound(name: &str) -> f64 {
    BOUNDS.iter().find(|(function, _)| *function == name).unwrap().1
}

/// 2^20 numbers of the whole range.
fn numbers() -> impl Iterator<Item = f32> {
    (0..1u32 << 20).map(|index| f32::from_bits(index.wrapping_mul(0x9e37_79b1) ^ index >> 9))
}

/// Numbers at which a function changes its way or its result its kind, with the 512 around each.
fn turns() -> impl Iterator<Item = f32> {
    let positive = [
        0.0,
        LEAST,
        f32::MIN_POSITIVE,
        f32::from_bits(0x3080_0000),
        f32::from_bits(turn::TINY),
        0.5,
        consts::FRAC_1_SQRT_2,
        consts::FRAC_PI_4,
        0.951_672_85,
        1.0,
        1.049_180_3,
        consts::SQRT_2,
        consts::FRAC_PI_2,
        2.0,
        consts::PI,
        8.0,
        88.722_84,
        103.972_08,
        128.0,
        150.0,
        256.0,
        INF,
    ];
    let centres = positive.into_iter().flat_map(|x| [x, -x]);
    centres
        .flat_map(|x| (0..512u32).map(move |step| f32::from_bits((x.to_bits().wrapping_add(step)).wrapping_sub(256))))
}

/// Pairs of which neither lies far from the other, with any pairs between them.
fn pairs() -> impl Iterator<Item = (f32, f32)> {
    numbers().zip(numbers().skip(1)).map(|(x, y)| {
        let near =
            y.to_bits() & 0x807f_ffff | (x.to_bits() & 0x7f80_0000).wrapping_add((y.to_bits() >> 2) & 0x0380_0000);
        let near = if x.to_bits() & 1 == 0 { near } else { y.to_bits() };
        (x, f32::from_bits(near))
    })
}

/// Powers as colour takes them, and powers whose results are spread over the whole range.
fn powers() -> impl Iterator<Item = (f32, f32)> {
    let exponents = [
        2.4,
        1.0 / 2.4,
        0.159_301_76,
        78.84375,
        1.0 / 0.159_301_76,
        1.0 / 78.84375,
        1.2,
        2.2,
        3.0,
        1.0 / 3.0,
    ];
    let colour = numbers().zip(exponents.into_iter().cycle());
    let colour = colour.map(|(x, y)| (f32::from_bits(x.abs().to_bits() % 10_000f32.to_bits()), y));
    let spread = numbers().map(|x| {
        let bits = x.to_bits();
        let near_one = f32::from_bits(0x3f70_0000 + (bits >> 11));
        let base = if bits & 1 == 0 { near_one } else { x.abs() };
        let binades = f64::from(bits) * 2f64.powi(-32) * 282.0 - 152.0;
        (base, (binades / libm::log2(base.into())) as f32)
    });
    colour.chain(spread)
}

#[test]
fn the_documents_state_the_bounds() {
    let rows = include_str!("mod.rs").lines().filter_map(|line| {
        let mut cells = line.strip_prefix("//! | [`")?.split(" | ");
        let name = cells.next()?.strip_suffix("`]")?;
        Some((name, cells.nth(1)?.parse().ok()?))
    });
    assert!(rows.eq(BOUNDS));
    let functions = FUNCTIONS.iter().map(|function| function.name);
    for name in functions {
        assert!(bound(name) < 1.0, "`{name}`");
    }
}

#[test]
fn unary_functions_keep_their_bounds() {
    type Row = (&'static str, fn(f32) -> f32, fn(f64) -> f64);
    let rows: [Row; 8] = [
        ("exp", exp, libm::exp),
        ("exp2", exp2, libm::exp2),
        ("log", log, libm::log),
        ("log2", log2, libm::log2),
        ("log10", log10, libm::log10),
        ("cbrt", cbrt, libm::cbrt),
        ("sin", sin, libm::sin),
        ("cos", cos, libm::cos),
    ];
    for (name, function, exact) in rows {
        for x in numbers().chain(turns()) {
            let (actual, exact) = (function(x), exact(x.into()));
            let error = error(actual, exact);
            assert!(
                error <= bound(name),
                "{name}({x:e}) is {actual:e}, {error} ULP from {exact:e}"
            );
        }
    }
}

#[test]
fn binary_functions_keep_their_bounds() {
    type Row = (&'static str, fn(f32, f32) -> f32, fn(f64, f64) -> f64, Vec<(f32, f32)>);
    let rows: [Row; 3] = [
        ("pow", pow, libm::pow, pairs().chain(powers()).collect()),
        ("atan2", atan2, libm::atan2, pairs().collect()),
        ("hypot", hypot, libm::hypot, pairs().collect()),
    ];
    for (name, function, exact, operands) in rows {
        for (x, y) in operands {
            let (actual, exact) = (function(x, y), exact(x.into(), y.into()));
            let error = error(actual, exact);
            assert!(
                error <= bound(name),
                "{name}({x:e}, {y:e}) is {actual:e}, {error} ULP from {exact:e}"
            );
        }
    }
}
