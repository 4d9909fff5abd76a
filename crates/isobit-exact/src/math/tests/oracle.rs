//! The Rust side against 192 bits: special values, the neighbours of every branch, and random operands.
//!
//! An error is measured from the exact value and not from the f32 nearest to it, which is the stricter of the two: a result
//! within ½ of it is correctly rounded, and one within 1 is one of the two f32 around it.

use astro_float_num::{BigFloat, Consts, RoundingMode, Sign, WORD_BIT_SIZE};

use super::*;
use crate::check::{Operands, specials};
use crate::functions::{Kind, Rust};

const BITS: usize = 192;
const ROUNDING: RoundingMode = RoundingMode::ToEven;
/// Random operands of each kind.
const RANDOM: usize = 1 << 14;

/// An exact function: of doubles, for operands and results without a finite value above zero; and of many bits, of operands
/// that are neither zero nor infinite.
#[derive(Clone, Copy)]
enum Exact {
    Unary(fn(f64) -> f64, fn(&BigFloat, &mut Consts) -> BigFloat),
    Binary(fn(f64, f64) -> f64, fn(&BigFloat, &BigFloat, &mut Consts) -> BigFloat),
}

fn big(x: f32) -> BigFloat {
    BigFloat::from_f64(x.into(), BITS)
}

/// |x|^y by the exponential and the logarithm: rounding an exact power correctly, as `BigFloat::pow` does, takes
/// without end.
fn magnitude(x: &BigFloat, y: &BigFloat, constants: &mut Consts) -> BigFloat {
    let logarithm = x.abs().ln(2 * BITS, ROUNDING, constants);
    logarithm.mul(y, 2 * BITS, ROUNDING).exp(BITS, ROUNDING, constants)
}

fn power(x: &BigFloat, y: &BigFloat, constants: &mut Consts) -> BigFloat {
    // A negative base has an integer exponent here, whose lowest bit is the sign's.
    let magnitude = magnitude(x, y, constants);
    let half = y.div(&big(2.0), BITS, ROUNDING);
    if x.is_negative() && !half.fract().is_zero() {
        magnitude.neg()
    } else {
        magnitude
    }
}

fn angle(y: &BigFloat, x: &BigFloat, constants: &mut Consts) -> BigFloat {
    let ratio = y.abs().div(&x.abs(), BITS, ROUNDING);
    let mut angle = ratio.atan(BITS, ROUNDING, constants);
    if x.is_negative() {
        angle = constants.pi(BITS, ROUNDING).sub(&angle, BITS, ROUNDING);
    }
    if y.is_negative() { angle.neg() } else { angle }
}

fn length(x: &BigFloat, y: &BigFloat, _: &mut Consts) -> BigFloat {
    let square = |x: &BigFloat| x.mul(x, BITS, ROUNDING);
    square(x).add(&square(y), 4 * BITS, ROUNDING).sqrt(BITS, ROUNDING)
}

fn exact(name: &str) -> Exact {
    match name {
        "exp" => Exact::Unary(libm::exp, |x, c| x.exp(BITS, ROUNDING, c)),
        "exp2" => Exact::Unary(libm::exp2, |x, c| magnitude(&big(2.0), x, c)),
        "log" => Exact::Unary(libm::log, |x, c| x.ln(BITS, ROUNDING, c)),
        "log2" => Exact::Unary(libm::log2, |x, c| x.log2(BITS, ROUNDING, c)),
        "log10" => Exact::Unary(libm::log10, |x, c| x.log10(BITS, ROUNDING, c)),
        "cbrt" => Exact::Unary(libm::cbrt, |x, _| x.cbrt(BITS, ROUNDING)),
        "sin" => Exact::Unary(libm::sin, |x, c| x.sin(BITS, ROUNDING, c)),
        "cos" => Exact::Unary(libm::cos, |x, c| x.cos(BITS, ROUNDING, c)),
        "pow" => Exact::Binary(libm::pow, power),
        "atan2" => Exact::Binary(libm::atan2, angle),
        "hypot" => Exact::Binary(libm::hypot, length),
        _ => panic!("`{name}` has no oracle"),
    }
}

/// |x| as significand·2^exponent with a significand from ½ up to 1; bits beyond a double's are dropped.
fn parts(x: &BigFloat) -> (f64, i32) {
    let Some((words, _, _, exponent, _)) = x.as_raw_parts() else {
        panic!("{x} has no bits")
    };
    let unit = 2f64.powi(-(WORD_BIT_SIZE as i32));
    let significand = words
        .iter()
        .rev()
        .take(2)
        .rev()
        .fold(0.0, |low, &word| (word as f64 + low) * unit);
    (significand, exponent)
}

/// The error of `actual` in units in the last place of an f32 of the size of `exact`, which is not zero.
fn distance(actual: f32, exact: &BigFloat) -> f64 {
    if (exact.sign() == Some(Sign::Neg)) != actual.is_sign_negative() {
        return f64::INFINITY;
    }
    let (_, exponent) = parts(exact);
    // An infinity, and what lies beyond, is as 2^128.
    if exponent > 128 {
        return error(actual, 2f64.powi(128).copysign(actual.into()));
    }
    let ulp = (exponent - 1).max(-126) - 23;
    let actual = f64::from(actual).clamp(-(2f64.powi(128)), 2f64.powi(128));
    let error = exact.sub(&BigFloat::from_f64(actual, BITS), BITS, ROUNDING);
    if error.is_zero() {
        return 0.0;
    }
    let (significand, exponent) = parts(&error);
    significand * 2f64.powi(exponent - ulp)
}

/// Holds every result to the documented bound.
fn hold<const N: usize>(name: &str, operands: impl Iterator<Item = [f32; N]>) {
    let function = FUNCTIONS.iter().find(|function| function.name == name).unwrap();
    let exact = exact(name);
    let mut constants = Consts::new().unwrap();
    let (mut worst, mut at, mut by_bits) = (0.0, [0.0; N], 0u32);
    for x in operands {
        let last = x[N - 1];
        let (actual, double) = match (function.rust, exact) {
            (Rust::Unary(rust), Exact::Unary(double, _)) => (rust(x[0]), double(x[0].into())),
            (Rust::Binary(rust), Exact::Binary(double, _)) => (rust(x[0], last), double(x[0].into(), last.into())),
            _ => panic!("`{name}` and its oracle take different operands"),
        };
        // Around the range of results, so that their limits are among those that many bits decide.
        let within = (2f64.powi(-160)..2f64.powi(160)).contains(&double.abs());
        let error = if within && x.iter().all(|x| x.is_finite() && *x != 0.0) {
            by_bits += 1;
            let exact = match exact {
                Exact::Unary(_, exact) => exact(&big(x[0]), &mut constants),
                Exact::Binary(_, exact) => exact(&big(x[0]), &big(last), &mut constants),
            };
            if exact.is_zero() {
                error(actual, 0.0)
            } else {
                distance(actual, &exact)
            }
        } else {
            error(actual, double)
        };
        assert!(
            error <= bound(name),
            "{name}{x:?} is {actual:e}, {error} ULP from the exact value"
        );
        if error > worst {
            (worst, at) = (error, x);
        }
    }
    println!("{name}: {worst:.4} ULP at {at:?}, {by_bits} operands");
    assert!(by_bits as usize >= RANDOM / 2, "`{name}`: {by_bits} operands");
}

fn neighbours(x: f32, reach: u32) -> impl Iterator<Item = f32> {
    let first = x.to_bits().wrapping_sub(reach);
    (0..=2 * reach).map(move |step| f32::from_bits(first.wrapping_add(step)))
}

/// Where the functions part ways beyond what [`turns`] holds: reduction of logarithms, tiny and large arguments, multiples
/// of a quarter turn, results at the ends of the range.
fn branches() -> impl Iterator<Item = f32> {
    let bits = [
        0x3f47_ce0c,
        0x3f5c_a8f1,
        0x3f73_a0d5,
        0x3f86_4b8a,
        0x3f94_4581,
        0x3fa3_d70a,
        0x3f35_04f3,
        0x3fb5_04f3,
        0x4380_0000,
        0x3080_0000,
        0x4b40_0000,
        turn::TINY,
    ];
    let limits = [
        88.722_84,
        -87.336_55,
        -103.278_93,
        -103.972_08,
        127.5,
        128.0,
        -126.0,
        -149.0,
        -150.0,
        f32::MAX,
    ];
    let turns = (1..64u8).map(|quarters| f32::from(quarters) * consts::FRAC_PI_2);
    let powers = (-149..128).map(|exponent| 2f64.powi(exponent) as f32);
    let centres = bits
        .map(f32::from_bits)
        .into_iter()
        .chain(limits)
        .chain(turns)
        .chain(powers);
    centres.flat_map(|x| neighbours(x, 8).chain(neighbours(-x, 8)))
}

fn unary(name: &'static str) {
    let function = FUNCTIONS.iter().find(|function| function.name == name).unwrap();
    let special = specials(Kind::F32).into_iter().map(|word| f32::from_bits(word as u32));
    let random = Operands::random(function, 11).take(RANDOM);
    let random = random.map(|[x, ..]| f32::from_bits(x as u32));
    // Those of the whole range, and those around one, where most functions do their work.
    let central = numbers()
        .step_by(64)
        .map(|x| f32::from_bits((x.to_bits() >> 4) + 0x3800_0000));
    let signed = central.flat_map(|x| [x, -x]);
    let all = special
        .chain(branches())
        .chain(turns().step_by(7))
        .chain(random)
        .chain(signed);
    hold(name, all.map(|x| [x]));
}

/// Pairs whose ratio, sum of squares or power lies where a function of two operands parts ways.
fn joints() -> impl Iterator<Item = [f32; 2]> {
    let ratios = [
        1.0,
        atan2::TAN_EIGHTH,
        0.5,
        2f32.powi(-12),
        2f32.powi(-19),
        2f32.powi(-20),
        2f32.powi(-21),
    ];
    let drops = [29, 30, 31, 60, 126].map(|drop| 2f32.powi(-drop));
    let ratios: Vec<f32> = ratios.into_iter().chain(drops).collect();
    let centres = [1.0f32, 1.999_999_9, 1.234_567, 1e-30, 3e30, -0.1];
    centres.into_iter().flat_map(move |x| {
        let ratios = ratios.clone();
        ratios.into_iter().flat_map(move |ratio| {
            let close = neighbours(x * ratio, 4);
            close.flat_map(move |y| [[x, y], [y, x], [x, -y], [y, -x]])
        })
    })
}

fn binary(name: &'static str) {
    let function = FUNCTIONS.iter().find(|function| function.name == name).unwrap();
    let pair = |[x, y, _]: [u64; 3]| [x, y].map(|word| f32::from_bits(word as u32));
    let special = Operands::special(function).into_iter().map(pair);
    let random = Operands::random(function, 11).take(RANDOM).map(pair);
    let near = pairs().step_by(64).map(|(x, y)| [x, y]);
    let powers = powers().step_by(128).filter(|_| name == "pow").map(|(x, y)| [x, y]);
    hold(name, special.chain(joints()).chain(random).chain(near).chain(powers));
}

macro_rules! held {
    ($($function:ident: $operands:ident,)*) => {
        $(#[test]
        fn $function() {
            $operands(stringify!($function));
        })*
        #[test]
        fn every_function_is_held() {
            let held = [$(stringify!($function)),*];
            assert!(FUNCTIONS.iter().all(|function| held.contains(&function.name)));
        }
    };
}

held! {
    exp: unary,
    exp2: unary,
    log: unary,
    log2: unary,
    log10: unary,
    cbrt: unary,
    sin: unary,
    cos: unary,
    pow: binary,
    atan2: binary,
    hypot: binary,
}
