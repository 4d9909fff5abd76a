//! What pins every bit: digests of constants and of results in Rust, and the equality of the constants of both sides.

use std::collections::BTreeMap;

use naga::{Expression, Literal};

use super::super::*;
use super::{numbers, pairs, powers, turns};
use crate::chunk::{CHUNKS, join};

/// A digest of numbers: FNV-1a over their words.
fn digest(results: impl Iterator<Item = f32>) -> u64 {
    results.fold(0xcbf2_9ce4_8422_2325, |hash, result| {
        (hash ^ u64::from(result.to_bits())).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The constants of each module. A change in the last bit of the last coefficient of a polynomial moves one result in 2^27,
/// which no digest of results need show.
#[test]
fn constants_are_those_that_were_pinned() {
    let constants = |constants: &[(&str, f32)]| digest(constants.iter().map(|&(_, value)| value));
    let digests = [
        ("core", constants(core::CONSTANTS), 0x4780_3e0b_883d_438e),
        ("log10", constants(log10::CONSTANTS), 0x4188_1780_6880_ad16),
        ("cbrt", constants(cbrt::CONSTANTS), 0xd1f8_9212_4fc7_81da),
        ("turn", constants(turn::CONSTANTS), 0x9614_1fed_8ac0_ce4c),
        ("atan2", constants(atan2::CONSTANTS), 0x9287_0950_c0d6_b307),
    ];
    agree(&digests);
}

/// A change of an operation, of an order, or of a number in the code moves some of these results.
#[test]
fn results_are_those_that_were_pinned() {
    let unary = |function: fn(f32) -> f32| digest(numbers().chain(turns()).map(function));
    let binary = |function: fn(f32, f32) -> f32| digest(pairs().chain(powers()).map(|(x, y)| function(x, y)));
    let digests = [
        ("exp", unary(exp), 0x6d8f_d424_6006_4f75),
        ("exp2", unary(exp2), 0x4dd9_4cd3_7cf4_e9af),
        ("log", unary(log), 0x2d6b_315f_7465_189b),
        ("log2", unary(log2), 0x6c22_1d12_aca5_168a),
        ("log10", unary(log10), 0x9cb4_601a_29ab_a807),
        ("pow", binary(pow), 0xdb6f_637c_f611_6df1),
        ("cbrt", unary(cbrt), 0x7f5c_98d0_bc83_bc36),
        ("sin", unary(sin), 0x8595_fe3b_26b7_e599),
        ("cos", unary(cos), 0x9c06_9945_cd0b_dec5),
        ("atan2", binary(atan2), 0x1bff_7329_a567_bd52),
        ("hypot", binary(hypot), 0x2ab5_749f_a891_8e56),
    ];
    agree(&digests);
}

/// That each digest, the first number, is the pinned one, the second.
fn agree(digests: &[(&str, u64, u64)]) {
    let moved: Vec<_> = digests.iter().filter(|(_, actual, pinned)| actual != pinned).collect();
    assert!(moved.is_empty(), "{moved:#x?}");
}

#[test]
fn wgsl_declares_the_constants_of_rust() {
    let words = [
        ("NAN", core::NAN),
        ("INFINITY", core::INFINITY),
        ("ONE", core::ONE),
        ("SIGN", core::SIGN),
        ("TINY", turn::TINY),
        ("FRACTION", pow::FRACTION),
        ("ODD", pow::ODD),
        ("EVEN", pow::EVEN),
    ];
    let numbers = [
        core::CONSTANTS,
        log10::CONSTANTS,
        cbrt::CONSTANTS,
        turn::CONSTANTS,
        atan2::CONSTANTS,
    ];
    let numbers = numbers
        .into_iter()
        .flatten()
        .map(|&(name, value)| (name, value.to_bits()));
    let rust: BTreeMap<_, _> = words
        .into_iter()
        .chain(numbers)
        .map(|(name, bits)| (format!("MATH_{name}"), bits))
        .collect();

    let names: Vec<_> = CHUNKS
        .iter()
        .map(|chunk| chunk.name)
        .filter(|name| name.starts_with("math_"))
        .collect();
    let module = naga::front::wgsl::parse_str(&join(&names, "").unwrap()).unwrap();
    let mut wgsl = BTreeMap::new();
    for (_, constant) in module.constants.iter() {
        let bits = match module.global_expressions[constant.init] {
            Expression::Literal(Literal::F32(value)) => value.to_bits(),
            Expression::Literal(Literal::U32(value)) => value,
            ref other => panic!("{:?}: {other:?}", constant.name),
        };
        wgsl.insert(constant.name.clone().unwrap(), bits);
    }
    assert_eq!(wgsl, rust);
}
