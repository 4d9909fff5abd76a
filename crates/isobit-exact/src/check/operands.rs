//! Operands that find faults: special values in all pairs, random bits, and every value of 32 bits.

use crate::functions::{Function, Kind};
use crate::seal::two_sum;

/// Operands without end, the same for the same function and seed.
#[derive(Clone, Debug)]
pub struct Operands {
    function: &'static Function,
    specials: Vec<Vec<u64>>,
    random: Random,
}

impl Operands {
    /// Random operands: any bits, neighbours of the operand before, few significant bits, special values.
    pub fn random(function: &'static Function, seed: u64) -> Self {
        Self {
            function,
            specials: function.operands.iter().map(|&kind| specials(kind)).collect(),
            random: Random(seed),
        }
    }

    /// Every combination of special values for one or two operands. For three, every combination for each two of them,
    /// the third being a special value in turn.
    pub fn special(function: &'static Function) -> Vec<[u64; 3]> {
        let lists: Vec<_> = function.operands.iter().map(|&kind| specials(kind)).collect();
        match lists.as_slice() {
            [a] => a.iter().map(|&a| [a, 0, 0]).collect(),
            [a, b] => a.iter().flat_map(|&a| b.iter().map(move |&b| [a, b, 0])).collect(),
            [a, b, c] => {
                let mut turn = 0..;
                let mut next = |list: &[u64]| list[turn.next().unwrap_or(0usize) % list.len()];
                let mut all = Vec::new();
                for &x in a {
                    all.extend(b.iter().map(|&y| [x, y, next(c)]));
                    all.extend(c.iter().map(|&z| [x, next(b), z]));
                }
                for &y in b {
                    all.extend(c.iter().map(|&z| [next(a), y, z]));
                }
                all
            }
            _ => Vec::new(),
        }
    }
}

impl Iterator for Operands {
    type Item = [u64; 3];

    fn next(&mut self) -> Option<[u64; 3]> {
        let mut words = [0; 3];
        for (index, &kind) in self.function.operands.iter().enumerate() {
            let before = index.checked_sub(1).map(|before| words[before]);
            words[index] = self.random.operand(kind, &self.specials[index], before);
        }
        Some(words)
    }
}

/// The generator SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn operand(&mut self, kind: Kind, specials: &[u64], before: Option<u64>) -> u64 {
        let choice = self.next();
        if choice.is_multiple_of(16) {
            return specials[(choice >> 8) as usize % specials.len()];
        }
        let bits = self.next();
        let Some((width, fraction)) = shape(kind) else {
            return match kind {
                Kind::Pair => self.pair(bits),
                Kind::Bool => bits & 1,
                // Numbers of every length.
                Kind::U32 => u64::from(bits as u32 >> (choice >> 8 & 31)),
                Kind::I32 => u64::from((bits as u32 as i32 >> (choice >> 8 & 31)) as u32),
                Kind::I64 => (bits as i64 >> (choice >> 8 & 63)) as u64,
                _ => bits >> (choice >> 8 & 63),
            };
        };
        let mask = u64::MAX >> (64 - width);
        match choice % 16 {
            // Close to the operand before, up to the sign: cancellation, alignment and equality.
            1..=4 => {
                let near = before.unwrap_or(bits) ^ (bits & 1) << (width - 1);
                let distance = (bits >> 1) % (1 << ((choice >> 8) % u64::from(fraction + 6)));
                near.wrapping_add(distance) & mask
            }
            // Few significant bits: ties and exact results.
            5..=7 => bits & mask & !((1 << ((choice >> 8) % u64::from(fraction))) - 1),
            // An exponent around one.
            8..=10 => {
                let bias = (1u64 << (width - fraction - 2)) - 1;
                let reach = bias.min(33) - 1;
                let exponent = bias - reach + (choice >> 8) % (2 * reach + 1);
                (bits & ((1 << fraction) - 1)) | exponent << fraction | (bits >> 63) << (width - 1)
            }
            // Close to one, where logarithms are polynomials and powers far from the ends of the range.
            11 => {
                let span = 1 << (fraction - ((choice >> 8) % 4) as u32);
                let one = ((1u64 << (width - fraction - 2)) - 1) << fraction;
                (one + bits % span - span / 2) | (bits >> 63) << (width - 1)
            }
            _ => bits & mask,
        }
    }

    /// A pair of normal numbers far from the ends of the range.
    fn pair(&mut self, bits: u64) -> u64 {
        let high = 97 + (bits >> 40) as u32 % 60;
        let low = high - 25 - (bits >> 50) as u32 % 4;
        let part = |exponent: u32, bits: u64| f32::from_bits(exponent << 23 | bits as u32 & 0x807f_ffff);
        let [high, low] = two_sum(part(high, bits), part(low, self.next()));
        u64::from(high.to_bits()) | u64::from(low.to_bits()) << 32
    }
}

/// Bits of a float and of its fraction.
const fn shape(kind: Kind) -> Option<(u32, u32)> {
    match kind {
        Kind::F32 | Kind::F32Bits => Some((32, 23)),
        Kind::F64Bits => Some((64, 52)),
        Kind::F16Bits => Some((16, 10)),
        _ => None,
    }
}

/// Values at which functions break: zeros, subnormals, the ends of the range, infinities, NaN, powers of two and their
/// neighbours, halves, the limits of other types.
pub fn specials(kind: Kind) -> Vec<u64> {
    let mut values = match (shape(kind), kind) {
        (Some((width, fraction)), _) => float_specials(width, fraction),
        (None, Kind::Bool) => vec![0, 1],
        (None, Kind::Pair) => pair_specials(),
        (None, Kind::U32 | Kind::I32) => integer_specials(32),
        (None, _) => integer_specials(64),
    };
    values.sort_unstable();
    values.dedup();
    values
}

/// Powers of two at which something happens: ends of ranges, widths of fractions and integers, limits of the domains.
const EXPONENTS: [i64; 46] = [
    -1022, -149, -126, -125, -103, -102, -79, -78, -64, -53, -32, -25, -24, -23, -15, -14, -12, -2, -1, 0, 1, 2, 10,
    11, 12, 15, 16, 22, 23, 24, 25, 30, 31, 32, 33, 52, 53, 54, 62, 63, 64, 102, 126, 127, 128, 1023,
];

fn float_specials(width: u32, fraction: u32) -> Vec<u64> {
    let sign = 1u64 << (width - 1);
    let least_normal = 1u64 << fraction;
    let infinity = sign - least_normal;
    let quiet = least_normal >> 1;
    let bias = (1i64 << (width - fraction - 2)) - 1;
    let mut magnitudes = vec![0, 1, 2, 3, quiet - 1, quiet, quiet + 1, least_normal - 1];
    magnitudes.extend([
        least_normal,
        least_normal + 1,
        2 * least_normal - 1,
        infinity - 1,
        infinity - 2,
    ]);
    magnitudes.extend([infinity, infinity + 1, infinity | quiet, sign - 1]);
    for exponent in EXPONENTS
        .into_iter()
        .filter(|exponent| (1 - bias..=bias).contains(exponent))
    {
        let power = ((exponent + bias) as u64) << fraction;
        magnitudes.extend([power - 1, power, power + 1, power | quiet]);
    }
    // Halves and thirds, whole numbers plus a half at the end of the fraction, and limits of f16 and f32.
    let values = [
        0.1,
        1.0 / 3.0,
        2.5,
        3.0,
        3.5,
        5.0,
        7.0,
        10.0,
        100.0,
        2097151.25,
        4194303.5,
        8388607.5,
        65504.0,
        65519.99,
        65520.0,
    ];
    let limits = [
        f64::from(f32::MAX),
        3.402_823_567_797_336_5e38,
        4_294_967_294.5,
        2_147_483_647.5,
        5e-8,
        3e-8,
    ];
    magnitudes.extend(values.into_iter().chain(limits).map(|value: f64| match width {
        16 => u64::from(half::f16::from_f64(value).to_bits()),
        32 => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }));
    magnitudes
        .iter()
        .flat_map(|&magnitude| [magnitude, magnitude | sign])
        .collect()
}

fn integer_specials(width: u32) -> Vec<u64> {
    let mask = u64::MAX >> (64 - width);
    let powers = (0..width).flat_map(|bit| {
        let power = 1u64 << bit;
        [power - 1, power, power + 1, power.wrapping_neg(), power + (power >> 1)]
    });
    let others = [
        3,
        5,
        7,
        10,
        100,
        0xffff_ffff,
        0x1_0000_0001,
        0x5555_5555_5555_5555,
        0x8000_0000_8000_0000,
    ];
    powers.chain(others).map(|value| value & mask).collect()
}

fn pair_specials() -> Vec<u64> {
    let highs = [0.0, 1.0, -1.0, 1.5, 0.1, -3.0, 1024.0, 1e-6, 1e8, 16_777_215.0];
    let lows = [0.0, 0.5, -0.5, 0.25, -0.1];
    let pair = |high: f32, low: f32| {
        let unit = f32::from_bits(high.abs().to_bits() + 1) - high.abs();
        let [high, low] = two_sum(high, if high == 0.0 { 0.0 } else { low * unit });
        u64::from(high.to_bits()) | u64::from(low.to_bits()) << 32
    };
    highs
        .iter()
        .flat_map(|&high| lows.iter().map(move |&low| pair(high, low)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_floats_hold_the_ends_of_every_range() {
        let values = specials(Kind::F32);
        for value in [
            0.0f32,
            f32::from_bits(1),
            f32::MIN_POSITIVE,
            1.0,
            1.0 + f32::EPSILON,
            f32::MAX,
            f32::INFINITY,
        ] {
            for value in [value, -value] {
                assert!(values.contains(&value.to_bits().into()), "{value:e}");
            }
        }
        assert!(values.iter().any(|&word| f32::from_bits(word as u32).is_nan()));
        assert!(values.iter().all(|&word| word >> 32 == 0));
        assert!(specials(Kind::F16Bits).iter().all(|&word| word >> 16 == 0));
    }

    #[test]
    fn random_operands_are_the_same_for_the_same_seed() {
        let function = crate::functions::all().next().unwrap();
        let take = |seed| Operands::random(function, seed).take(64).collect::<Vec<_>>();
        assert_eq!(take(1), take(1));
        assert_ne!(take(1), take(2));
    }
}
