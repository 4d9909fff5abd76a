//! Holds the PQ and HLG references to published values, and to the formulas of ITU-R BT.2100 evaluated in f64.

use colour::hlg_eotf::{self, hlg_eotf};
use colour::hlg_oetf::{self, hlg_oetf};
use colour::pq_eotf::{self, pq_eotf};
use colour::pq_inverse_eotf::{self, pq_inverse_eotf};
use colour::transfer::Transfer;
use isobit::format::Depth;
use proptest::prelude::*;

fn pq_light(signal: f64) -> f64 {
    let root = libm::pow(signal, 1.0 / 78.84375);
    let quotient = (root - 0.8359375).max(0.0) / (18.8515625 - 18.6875 * root);
    libm::pow(quotient, 1.0 / 0.1593017578125)
}

fn pq_signal(light: f64) -> f64 {
    let root = libm::pow(light, 0.1593017578125);
    libm::pow((0.8359375 + 18.8515625 * root) / (1.0 + 18.6875 * root), 78.84375)
}

const A: f64 = 0.178_832_77;
const B: f64 = 1.0 - 4.0 * A;

fn c() -> f64 {
    0.5 - A * libm::log(4.0 * A)
}

fn hlg_signal(light: f64) -> f64 {
    if light <= 1.0 / 12.0 {
        (3.0 * light).sqrt()
    } else {
        A * libm::log(12.0 * light - B) + c()
    }
}

fn hlg_scene(signal: f64) -> f64 {
    if signal <= 0.5 {
        signal * signal / 3.0
    } else {
        (libm::exp((signal - c()) / A) + B) / 12.0
    }
}

fn hlg_display(signal: [f64; 3]) -> [f64; 3] {
    let scene = signal.map(hlg_scene);
    let luminance = 0.2627 * scene[0] + 0.6780 * scene[1] + 0.0593 * scene[2];
    scene.map(|light| light * libm::pow(luminance, 0.2))
}

/// The distance of `actual` from `exact` in units of the last place of `actual`.
fn error(actual: f32, exact: f64) -> f64 {
    let unit = f64::from(actual.next_up()) - f64::from(actual);
    (f64::from(actual) - exact).abs() / unit
}

/// A kernel's name, its function, and the same in f64.
type Function = (&'static str, &'static Transfer, fn(f64) -> f64);

const FUNCTIONS: [Function; 4] = [
    ("pq_eotf", &pq_eotf::TRANSFER, pq_light),
    ("pq_inverse_eotf", &pq_inverse_eotf::TRANSFER, pq_signal),
    ("hlg_oetf", &hlg_oetf::TRANSFER, hlg_signal),
    ("hlg_inverse_oetf", &hlg_eotf::INVERSE_OETF, hlg_scene),
];

#[test]
fn every_code_of_every_depth_is_within_the_stated_error() {
    for (name, transfer, exact) in FUNCTIONS {
        for max in Depth::INTEGER.into_iter().filter_map(Depth::max_code) {
            for code in 0..=max {
                let expected = exact(f64::from(code) / f64::from(max));
                let actual = transfer.of_code(code, max);
                let error = error(actual, expected);
                assert!(error < 0.501, "{name}: {code} of {max}: {actual}, {error} ULP");
            }
        }
    }
}

#[test]
fn pq_gives_the_published_values() {
    // cd/m² and signal; ITU-R BT.2408 and the curve's ends.
    for (luminance, signal, digits) in [
        (10_000.0, 1.0, 1e-6),
        (1_000.0, 0.751_827, 1e-6),
        (203.0, 0.580_689, 1e-6),
        (100.0, 0.508_078, 1e-6),
        (92.245_7, 0.5, 1e-6),
        (0.0, 7.309_559e-7, 1e-13),
    ] {
        assert!(
            (f64::from(pq_inverse_eotf(luminance / 10_000.0)) - signal).abs() < digits,
            "{luminance}"
        );
    }
    assert_eq!(pq_eotf(1.0), 1.0);
    assert_eq!(pq_eotf(7e-7), 0.0);
    assert!((pq_eotf(0.5) * 10_000.0 - 92.245_7).abs() < 1e-3);
}

#[test]
fn hlg_gives_the_published_values() {
    assert_eq!(hlg_oetf(1.0), 1.0);
    assert!((hlg_oetf(1.0 / 12.0) - 0.5).abs() < 1e-7);
    // ITU-R BT.2408: 75 % is diffuse white at 203 cd/m², 38 % an 18 % grey card at 26 cd/m².
    let [white, ..] = hlg_eotf([0.75; 3]);
    assert!((white * 1000.0 - 203.0).abs() < 0.5, "{white}");
    let [grey, ..] = hlg_eotf([0.38; 3]);
    assert!((grey * 1000.0 - 26.0).abs() < 0.7, "{grey}");
    assert_eq!(hlg_eotf([1.0; 3]), [1.0; 3]);
    assert_eq!(hlg_eotf([0.0; 3]), [0.0; 3]);
}

#[test]
fn what_lies_outside_is_clipped_and_nan_stays() {
    for (name, transfer, _) in FUNCTIONS {
        for (outside, end) in [
            (-1.0, 0.0),
            (f32::NEG_INFINITY, 0.0),
            (-0.0, 0.0),
            (1.5, 1.0),
            (f32::INFINITY, 1.0),
        ] {
            assert_eq!(
                transfer.of_f32(outside).to_bits(),
                transfer.of_f32(end).to_bits(),
                "{name}"
            );
        }
        assert!(transfer.of_f32(f32::NAN).is_nan(), "{name}");
    }
    assert!(hlg_eotf([0.5, f32::NAN, 0.5]).iter().all(|light| light.is_nan()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn every_number_is_within_the_stated_error(x in prop_oneof![0.0f32..1.0, (1..0x3f80_0000u32).prop_map(f32::from_bits)]) {
        for (name, transfer, exact) in FUNCTIONS {
            let bound = if name == "pq_eotf" { 0.75 } else { 0.501 };
            let expected = exact(x.into());
            // Below the normal numbers the cancellation in PQ's numerator shows.
            if expected > f64::from(f32::MIN_POSITIVE) || name != "pq_eotf" {
                let error = error(transfer.of_f32(x), expected);
                prop_assert!(error < bound, "{}: {}, {} ULP", name, x, error);
            }
        }
    }

    #[test]
    fn a_pixel_is_displayed_within_two_units(r in 0.0f32..1.0, g in 0.0f32..1.0, b in 0.0f32..1.0) {
        let signal = [r, g, b];
        for (actual, exact) in hlg_eotf(signal).into_iter().zip(hlg_display(signal.map(f64::from))) {
            prop_assert!(error(actual, exact) < 2.0, "{:?}: {} {}", signal, actual, exact);
        }
    }

    #[test]
    fn pq_returns_from_a_round_trip(signal in 0.01f32..1.0) {
        prop_assert!((pq_inverse_eotf(pq_eotf(signal)) - signal).abs() < 1e-6);
    }
}
