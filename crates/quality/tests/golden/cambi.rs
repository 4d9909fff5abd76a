//! `cambi`.

use quality::cambi;

use crate::clips::Golden;

#[test]
fn cambi_is_that_of_libvmaf_to_the_last_bit() {
    for clip in Golden::all(include_str!("../../golden/cambi.json")) {
        clip.check(&cambi::KERNEL, |what, score, golden| {
            assert_eq!(score.to_bits(), golden.to_bits(), "{what}: {score} against {golden}");
        });
    }
}
