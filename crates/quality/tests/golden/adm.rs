//! `adm`.

use quality::adm;

use crate::clips::Golden;

#[test]
fn scores_are_those_of_libvmaf_to_the_last_bit() {
    for clip in Golden::all(include_str!("../../golden/adm.json")) {
        clip.check_bits(&adm::KERNEL);
    }
}
