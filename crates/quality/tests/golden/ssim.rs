//! `ssim`, against what `integer_ssim.c` prints for the clips of 8, 10 and 12 bits. At 16 bits its integers overflow.

use quality::ssim;

use crate::clips::Golden;

#[test]
fn ssim_is_that_of_libvmaf_to_the_last_bit() {
    for clip in Golden::some(include_str!("../../golden/ssim.json"), 27) {
        clip.check_bits(&ssim::KERNEL);
    }
}
