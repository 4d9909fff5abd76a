//! `motion`, and with it the sums of `motion_v2`.

use quality::{motion, motion_v2};

use crate::clips::Golden;

fn clips() -> Vec<Golden> {
    Golden::all(include_str!("../../golden/motion.json"))
}

#[test]
fn motion_is_that_of_libvmaf_to_the_last_bit() {
    for clip in clips() {
        clip.check_bits(&motion::KERNEL);
    }
}

/// At their defaults the former extractor and the present one print the same numbers under different names.
#[test]
fn motion_v2_has_the_scores_of_motion() {
    for mut clip in clips() {
        let former = ["integer_motion_v2_sad", "integer_motion2_v2", "integer_motion3_v2"];
        let present = ["integer_motion_sad", "integer_motion2", "integer_motion3"];
        for (former, present) in former.into_iter().zip(present) {
            let scores = clip.scores[present].clone();
            clip.scores.insert(former.to_owned(), scores);
        }
        clip.check_bits(&motion_v2::KERNEL);
    }
}
