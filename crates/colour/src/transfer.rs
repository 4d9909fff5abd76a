//! Functions of one sample: what they do with the values that a formula does not speak of, on f32 samples and on codes.
//!
//! The formula itself is for positive finite numbers. Each function takes the same steps as its namesake in `transfer.wgsl`.

use isobit::format::Depth;

use crate::constants::{Constant, declarations};
use crate::scaled::{self, Scaled, scaled_bits, scaled_code};

/// How a function goes on outside of the range that its standard defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extension {
    /// f(−x) = −f(x), and the formula beyond 1; zeros and infinities are kept, sign included.
    Odd,
    /// Below 0 as at 0, beyond 1 as at 1, infinities included.
    Clipped,
}

/// A function of one sample.
///
/// NaN stays NaN. An integer code `c` of depth `d` means c / (2^d − 1), which may exceed 1 where 16 bits are stored.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// The function for positive finite numbers, rounded once to f32.
    pub(crate) positive: fn(Scaled) -> f32,
    /// What zero is mapped to; zero where the extension is odd.
    pub(crate) at_zero: f32,
    /// What lies beyond.
    pub(crate) extension: Extension,
    /// The WGSL of `positive`, which returns bits.
    pub(crate) wgsl: &'static str,
    /// The name of `positive` in the WGSL.
    pub(crate) name: &'static str,
    /// The constants of the WGSL.
    pub(crate) constants: &'static [Constant],
}

const INFINITY: u32 = 0x7f80_0000;
const SIGN: u32 = 0x8000_0000;
const QUIET: u32 = 0x0040_0000;
const ONE: u32 = 0x3f80_0000;

impl Transfer {
    /// The function of an f32 sample.
    pub fn of_f32(&self, sample: f32) -> f32 {
        let bits = sample.to_bits();
        let (sign, magnitude) = (bits & SIGN, bits & !SIGN);
        if magnitude > INFINITY {
            return f32::from_bits(bits | QUIET);
        }
        match self.extension {
            Extension::Clipped if sign != 0 || magnitude == 0 => self.at_zero,
            Extension::Clipped => (self.positive)(scaled_bits(magnitude.min(ONE))),
            Extension::Odd if magnitude == 0 || magnitude == INFINITY => sample,
            Extension::Odd => {
                let positive = (self.positive)(scaled_bits(magnitude));
                f32::from_bits(sign | positive.to_bits())
            }
        }
    }

    /// The function of `code` of a depth with `max` the largest code.
    pub fn of_code(&self, code: u32, max: u32) -> f32 {
        if code == 0 {
            return self.at_zero;
        }
        let code = match self.extension {
            Extension::Clipped => code.min(max),
            Extension::Odd => code,
        };
        (self.positive)(scaled_code(code, max))
    }

    /// The function of a stored sample of `depth`, with what each code is mapped to worked out beforehand.
    pub(crate) fn samples(&self, depth: Depth) -> Samples<'_> {
        let codes = depth
            .max_code()
            .map(|max| (0..=max).map(|code| self.of_code(code, max)).collect());
        Samples { transfer: self, codes }
    }

    /// The sources of `fn transfer_sample(stored: u32, depth_bits: u32) -> u32`, from a stored sample to the bits of an f32.
    /// They need the chunk `seal`.
    pub(crate) fn sources(&self) -> String {
        let head = format!(
            "const CLIPPED: bool = {};\nconst AT_ZERO: u32 = {:#010x}u;\n",
            self.extension == Extension::Clipped,
            self.at_zero.to_bits()
        );
        let formula = format!("fn positive(x: Scaled) -> u32 {{\n    return {}(x);\n}}\n", self.name);
        [
            declarations(scaled::constants()),
            declarations(self.constants),
            head,
            scaled::WGSL.to_owned(),
            self.wgsl.to_owned(),
            formula,
            include_str!("transfer.wgsl").to_owned(),
        ]
        .join("\n")
    }
}

/// A function of the stored samples of one depth; a clip has far more samples than codes.
#[derive(Debug)]
pub(crate) struct Samples<'a> {
    transfer: &'a Transfer,
    codes: Option<Vec<f32>>,
}

impl Samples<'_> {
    /// The function of an f32 sample, or of a code that is exact in an f32.
    pub(crate) fn of(&self, sample: f32) -> f32 {
        match &self.codes {
            None => self.transfer.of_f32(sample),
            Some(codes) => {
                let known = codes.get(sample as usize).copied();
                known.unwrap_or_else(|| self.transfer.of_code(sample as u32, codes.len() as u32 - 1))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn transfer(extension: Extension, at_zero: f32) -> Transfer {
        Transfer {
            positive: |x| {
                scaled::rounded(Scaled {
                    exponent: x.exponent + 1,
                    ..x
                })
            },
            at_zero,
            extension,
            wgsl: "",
            name: "double",
            constants: &[],
        }
    }

    #[test]
    fn an_odd_function_keeps_signs_zeros_and_infinities() {
        let double = transfer(Extension::Odd, 0.0);
        let bits = |x: f32| double.of_f32(x).to_bits();
        for x in [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(bits(x), x.to_bits());
        }
        assert_eq!(bits(-3.0), (-6.0f32).to_bits());
        assert_eq!(bits(f32::MAX), f32::INFINITY.to_bits());
        assert_eq!(bits(f32::from_bits(1)), 2);
        assert!(double.of_f32(f32::NAN).is_nan());
        assert_eq!(
            [0, 1, 255, 510].map(|code| double.of_code(code, 255)),
            [0.0, 2.0 / 255.0, 2.0, 4.0]
        );
    }

    #[test]
    fn a_clipped_function_ends_at_0_and_1() {
        let double = transfer(Extension::Clipped, 0.5);
        for x in [0.0, -0.0, -1.0, f32::NEG_INFINITY, -f32::from_bits(1)] {
            assert_eq!(double.of_f32(x), 0.5);
        }
        assert_eq!(
            [0.25, 1.0, 1.5, f32::INFINITY].map(|x| double.of_f32(x)),
            [0.5, 2.0, 2.0, 2.0]
        );
        assert!(double.of_f32(-f32::NAN).is_nan());
        assert_eq!([0, 255, 510].map(|code| double.of_code(code, 255)), [0.5, 2.0, 2.0]);
    }

    #[test]
    fn codes_beyond_the_depth_are_numbers_like_any_other() {
        let double = transfer(Extension::Odd, 0.0);
        let samples = double.samples(Depth::U10);
        assert_eq!([0.0, 1023.0, 2046.0].map(|code| samples.of(code)), [0.0, 2.0, 4.0]);
        assert_eq!(double.samples(Depth::F32).of(0.75), 1.5);
    }
}
