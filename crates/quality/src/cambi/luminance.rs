//! Which steps of luma an eye can see: the luminance of a 10-bit code on a display, and the limits that follow from it.
//!
//! After `luminance_tools.c` of libvmaf. All of it runs on the host, once for a clip, and ends in whole codes.

/// The code of black, in 10 bits of limited range.
const FOOT: u32 = 64;
/// The code of white.
const HEAD: u32 = 940;
/// The greatest code.
const GREATEST: u32 = 1023;

/// Luminance of white on the display of BT.1886, in cd/m².
const WHITE: f64 = 300.0;
/// Luminance of black on it, in cd/m².
const BLACK: f64 = 0.01;
/// Its exponent.
const GAMMA: f64 = 2.4;

/// How a display turns signal into light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Eotf {
    /// Recommendation ITU-R BT.1886, for a display from 0.01 to 300 cd/m².
    Bt1886,
    /// SMPTE ST 2084, up to 10,000 cd/m².
    Pq,
}

impl Eotf {
    /// The luminance of a 10-bit code in cd/m²; below black it is that of black, above white that of white.
    fn luminance(self, code: u32) -> f64 {
        let signal = f64::from(code.clamp(FOOT, HEAD) - FOOT) / f64::from(HEAD - FOOT);
        match self {
            Self::Bt1886 => bt1886(signal),
            Self::Pq => pq(signal),
        }
    }

    /// Whether a step from `code` up by `step` codes adds more than `threshold` of the luminance at `code`.
    fn shows(self, code: u32, step: u32, threshold: f64) -> bool {
        let luminance = self.luminance(code);
        self.luminance(code + step) - luminance > threshold * luminance
    }

    /// The brightest code from which a step of `step` codes can be seen; 0 where it cannot be seen even from black, and the
    /// greatest code where it always can.
    ///
    /// The relative step falls with the code, so the limit is where it crosses `threshold`.
    pub(super) fn brightest(self, step: u32, threshold: f64) -> u32 {
        let shows = |code| self.shows(code, step, threshold);
        let (mut shown, mut hidden) = (FOOT, HEAD - step - 1);
        if !shows(shown) {
            return 0;
        }
        if !shows(shown + 1) {
            return shown;
        }
        if shows(hidden) {
            return if shows(hidden + 1) { GREATEST } else { hidden };
        }
        while hidden - shown > 1 {
            let middle = shown + (hidden - shown) / 2;
            if shows(middle) {
                shown = middle;
            } else {
                hidden = middle;
            }
        }
        shown
    }

    /// The darkest code whose luminance is at least `luminance` cd/m²; 0 where black is, `None` where white is not.
    pub(super) fn darkest(self, luminance: f64) -> Option<u32> {
        let code = (FOOT..=HEAD).find(|&code| self.luminance(code) >= luminance)?;
        Some(if code == FOOT { 0 } else { code })
    }
}

fn bt1886(signal: f64) -> f64 {
    let (white, black) = (libm::pow(WHITE, 1.0 / GAMMA), libm::pow(BLACK, 1.0 / GAMMA));
    let gain = libm::pow(white - black, GAMMA);
    let lift = black / (white - black);
    gain * libm::pow((signal + lift).max(0.0), GAMMA)
}

fn pq(signal: f64) -> f64 {
    const M1: f64 = 0.159_301_757_812_5;
    const M2: f64 = 78.84375;
    const C1: f64 = 0.835_937_5;
    const C2: f64 = 18.851_562_5;
    const C3: f64 = 18.6875;
    let root = libm::pow(signal, 1.0 / M2);
    10_000.0 * libm::pow((root - C1).max(0.0) / (C2 - C3 * root), 1.0 / M1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From libvmaf's `get_tvi_for_diff` and `get_vlt_luma`, called with these arguments.
    #[test]
    fn limits_are_those_of_libvmaf() {
        let limits = |eotf: Eotf, threshold| [1, 2, 3, 4].map(|step| eotf.brightest(step, threshold));
        assert_eq!(limits(Eotf::Bt1886, 0.019), [178, 305, 432, 559]);
        assert_eq!(limits(Eotf::Pq, 0.019), [233, 1023, 1023, 1023]);
        assert_eq!(Eotf::Pq.darkest(3.0), Some(251));
        assert_eq!(Eotf::Bt1886.darkest(0.0), Some(0));
    }

    #[test]
    fn black_and_white_are_the_displays() {
        assert!((Eotf::Bt1886.luminance(0) - BLACK).abs() < 1e-12);
        assert!((Eotf::Bt1886.luminance(1023) - WHITE).abs() < 1e-9);
        assert_eq!(Eotf::Pq.luminance(64), 0.0);
        assert!((Eotf::Pq.luminance(940) - 10_000.0).abs() < 1e-6);
    }

    #[test]
    fn a_step_that_is_never_or_always_seen_has_no_crossing() {
        assert_eq!(Eotf::Bt1886.brightest(1, 1.0), 0);
        assert_eq!(Eotf::Bt1886.brightest(4, 1e-4), GREATEST);
        assert_eq!(Eotf::Pq.darkest(20_000.0), None);
    }

    #[test]
    fn the_limit_is_the_last_code_from_which_the_step_shows() {
        for step in 1..=10 {
            let limit = Eotf::Bt1886.brightest(step, 0.05);
            assert!(
                Eotf::Bt1886.shows(limit, step, 0.05) && !Eotf::Bt1886.shows(limit + 1, step, 0.05),
                "{step}"
            );
        }
    }
}
