//! `float_psnr`.

use quality::float_psnr;

use crate::clips::{Golden, ulps};

/// The sums are equal; what is left is the rounding of one logarithm. Scores were printed to 16 decimals.
#[test]
fn float_psnr_is_that_of_libvmaf_to_one_rounding() {
    for clip in Golden::all(include_str!("../../golden/float_psnr.json")) {
        clip.check(&float_psnr::KERNEL, |what, score, golden| {
            let close = ulps(score, golden) <= 2 || (score - golden).abs() < 1e-16;
            assert!(close, "{what}: {score} against {golden}");
        });
    }
}
