//! `psnr_hvs`, which libvmaf prints for up to 12 bits.

use std::cell::Cell;

use quality::psnr_hvs;

use crate::clips::{Golden, ulps};

/// Between `libm::log10` and the logarithm of the C library that libvmaf was linked to, in units in the last place of the
/// decibels: the measured maximum over the golden clips, of whose 276 finite scores 259 are equal. An error that differed by
/// one unit of its f32 would be off by 2.6e-7 dB.
const LOG10_ULPS: u64 = 2;

#[test]
fn psnr_hvs_is_that_of_libvmaf_but_for_the_rounding_of_a_logarithm() {
    let [worst, finite, equal, infinite] = [0, 0, 0, 0].map(Cell::new);
    let count = |cell: &Cell<u64>| cell.set(cell.get() + 1);
    for clip in Golden::all(include_str!("../../golden/psnr_hvs.json")) {
        if clip.scores.is_empty() {
            assert_eq!(clip.depth().bits(), 16);
            continue;
        }
        clip.check(&psnr_hvs::KERNEL, |what, score, golden| {
            if golden.is_nan() {
                assert_eq!(score, f64::INFINITY, "{what}");
                return count(&infinite);
            }
            let distance = ulps(score, golden);
            assert!(distance <= LOG10_ULPS, "{what}: {score} against {golden}");
            worst.set(distance.max(worst.get()));
            count(&finite);
            if distance == 0 {
                count(&equal);
            }
        });
    }
    let documented = [LOG10_ULPS, 276, 259, 48];
    assert_eq!([worst, finite, equal, infinite].map(Cell::into_inner), documented);
}
