//! Codes on the scale of 8 bits and their squares in f32, as libvmaf's float features form them. In integers: every value
//! here is a whole number of units.
//!
//! `libvmaf/src/feature/picture_copy.c` divides a code by 1, 4, 16 or 256, at 8, 10, 12 or 16 bits. A code is an integer below
//! 2^16 and the scale a power of two, so the scaled value is exact in f32, and so is the difference of two. Its square is
//! rounded to the 24 significant bits of f32: squares of codes of up to 12 bits fit in 24 bits; those of 16 bits are rounded,
//! ties to even. Either way the rounded square is a whole multiple of 1/scale², since rounding to 24 bits never adds binary
//! digits below those of the exact square.
//!
//! A sum of whole multiples of a power of two is exact in f64 as long as it stays below 2^53 of them, and then no order of its
//! additions can change it. The largest square is below 2^32, so this holds for up to 2,097,152 samples at 16 bits, and for
//! every plane below 2^29 samples at 12 bits and fewer. Larger 16-bit planes are where libvmaf, which rounds at each addition,
//! and a sum in integers, which is rounded once, may part.

use isobit::format::Depth;

/// The function `square` of shaders, behind their own text.
pub(crate) const SQUARE: &str = include_str!("scaled.wgsl");

/// Codes of an integer depth to one 8-bit code: 1, 4, 16 or 256.
pub(crate) fn scale(depth: Depth) -> f32 {
    (1u32 << (depth.bits() - 8)) as f32
}

/// The square of a scaled code as f32 rounds it, in units of 1/scale².
pub(crate) fn square(code: u32, scale: f32) -> u64 {
    let value = code as f32 / scale;
    let square = value * value;
    (square * scale * scale) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rounded_square_is_a_whole_number_of_units_and_the_nearest_with_24_bits() {
        for depth in Depth::INTEGER {
            let scale = scale(depth);
            for code in 0..=depth.max_code().unwrap() {
                let exact = u64::from(code) * u64::from(code);
                // f64 holds the exact square, so its conversion to f32 is the one rounding of the definition.
                let nearest = f64::from(exact as f64 as f32);
                assert_eq!(square(code, scale) as f64, nearest, "{depth}: {code}");
                let value = f64::from(code) / f64::from(scale);
                let rounded = f64::from((value * value) as f32);
                assert_eq!(
                    rounded * f64::from(scale) * f64::from(scale),
                    nearest,
                    "{depth}: {code}"
                );
            }
        }
    }

    #[test]
    fn ties_of_squares_are_rounded_down() {
        for code in 4096..=65535u32 {
            let exact = u64::from(code * code);
            let unit = 1u64 << (8 - (code * code).leading_zeros());
            let rounded = (exact + unit / 2 - 1) & !(unit - 1);
            assert_eq!(rounded as f64, f64::from(exact as f64 as f32), "{code}");
        }
    }

    #[test]
    fn a_running_f64_sum_is_the_integer_sum_up_to_the_stated_size() {
        let code = Depth::U16.max_code().unwrap();
        let unit = square(code, scale(Depth::U16));
        let running = (0..2_097_152).fold(0.0, |sum, _| sum + unit as f64 / 65536.0);
        assert_eq!(running * 65536.0, (unit * 2_097_152) as f64);
        assert!(unit * 2_097_152 < 1 << 53);
        assert!(unit * 2_097_300 > 1 << 53);
    }
}
