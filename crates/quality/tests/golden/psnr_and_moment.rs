//! `psnr` and `float_moment`.

use quality::{float_moment, psnr};

use crate::clips::{Golden, ulps};

fn clips() -> Vec<Golden> {
    Golden::all(include_str!("../../golden/libvmaf.json"))
}

#[test]
fn moments_are_those_of_libvmaf_to_the_last_bit() {
    for clip in clips() {
        clip.check_bits(&float_moment::KERNEL);
    }
}

/// The squared errors are equal to the last bit; the decibels may be off by the rounding of one logarithm.
#[test]
fn mse_is_that_of_libvmaf_to_the_last_bit_and_psnr_to_one_rounding() {
    for clip in clips() {
        clip.check(&psnr::KERNEL, |what, score, golden| {
            let allowed = if what.contains("psnr_") { LOG10_ULPS } else { 0 };
            assert!(ulps(score, golden) <= allowed, "{what}: {score} against {golden}");
        });
    }
}

/// The decibels of every golden clip from libvmaf's own squared errors: what is left is the logarithm alone.
#[test]
fn decibels_differ_from_those_of_libvmaf_by_their_logarithm_alone() {
    let mut worst = 0;
    for clip in clips() {
        for plane in ["y", "cb", "cr"] {
            let of = |name: &str| clip.scores[&format!("{name}_{plane}")].clone();
            for (mse, golden) in of("mse").into_iter().zip(of("psnr")) {
                worst = worst.max(ulps(psnr::psnr(mse.unwrap(), clip.depth()), golden.unwrap()));
            }
        }
    }
    assert_eq!(worst, LOG10_ULPS, "the documented maximum is {LOG10_ULPS} ULP");
}

/// Between `libm::log10` and the logarithm of the C library that libvmaf was linked to, in units in the last place of the
/// decibels: the measured maximum over the golden clips.
const LOG10_ULPS: u64 = 2;
