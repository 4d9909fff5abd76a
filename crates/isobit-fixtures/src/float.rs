//! Float content: the values at which float kernels go wrong, and a sweep through the range they are made for.

use crate::formula::hash;
use crate::paint::Site;

/// Columns of the planes that hold the special values.
pub const SPECIALS_WIDTH: u32 = 64;
/// Rows of the planes that hold the special values.
pub const SPECIALS_HEIGHT: u32 = 45;

/// The special values in three orders, the places that are left filled with random bits. The distorted clip is one value
/// further on.
pub fn specials(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    let listed = special_bits();
    let total = site.shape.width * site.shape.height;
    let at = |index: u32| match listed.get(index as usize) {
        Some(&bits) => bits,
        None => hash(6, site.frame, 0, index, 0) as u32,
    };
    let paint = |clip| {
        site.paint(clip, |x, y| {
            let index = (y * site.shape.width + x + clip as u32) % total;
            at(match site.plane {
                0 => index,
                1 => total - 1 - index,
                _ => (index + total / 2) % total,
            })
        })
    };
    (0..clips).map(paint).collect()
}

/// Rows of the planes in which the special values stand alone and among their like: those of [`specials`], four times.
pub const CHANNELS_HEIGHT: u32 = 4 * SPECIALS_HEIGHT;

/// Pixels of special values: each in one channel beside zeros, channel by channel, then in all three, where the other two have
/// its exponent, and a sign and a fraction of their own; infinities stay what they are. The distorted clip has the opposite
/// signs.
///
/// In [`specials`] a value stands beside unrelated ones, which drown it where a kernel adds channels up.
pub fn channels(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    const SIGN: u32 = 0x8000_0000;
    const FRACTION: u32 = 0x007f_ffff;
    const INFINITY: u32 = 0x7f80_0000;
    let listed = special_bits();
    let paint = |clip: usize| {
        site.paint(clip, |x, y| {
            let index = y % SPECIALS_HEIGHT * site.shape.width + x;
            let bits = match listed.get(index as usize) {
                Some(&bits) => bits,
                None => hash(6, site.frame, 0, index, 0) as u32,
            };
            let turned = SIGN * clip as u32;
            let channel = y / SPECIALS_HEIGHT;
            if channel == site.plane {
                return bits ^ turned;
            }
            if channel < 3 {
                return turned;
            }
            if site.plane == 0 {
                return bits ^ turned;
            }
            let noise = hash(8, site.frame, site.plane, index, 0) as u32;
            let mask = if bits & !SIGN == INFINITY {
                SIGN
            } else {
                SIGN | FRACTION
            };
            (bits & !mask | noise & mask) ^ turned
        })
    };
    (0..clips).map(paint).collect()
}

/// Even rows hold a ramp from 0 to 1, both included: up, down, and up from the middle; odd rows hold noise from −0.5 to
/// below 2. The distorted clip turns ramp rows round and has other noise.
pub fn sweep(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    let width = site.shape.width;
    let steps = width * site.shape.height.div_ceil(2);
    let paint = |clip| {
        site.paint(clip, |x, y| {
            let value = if y % 2 == 0 {
                let index = y / 2 * width + x;
                let index = match (site.plane as usize + clip) % 3 {
                    0 => index,
                    1 => steps - 1 - index,
                    _ => (index + steps / 2) % steps,
                };
                f64::from(index) / f64::from(steps - 1)
            } else {
                let noise = hash(1 + clip as u64, site.frame, site.plane, x, y) >> 40;
                noise as f64 * (2.5 / 16_777_216.0) - 0.5
            };
            (value as f32).to_bits()
        })
    };
    (0..clips).map(paint).collect()
}

/// The bits of the special values: those below with both signs, then every exponent with five fractions and both signs.
fn special_bits() -> Vec<u32> {
    // The points at which the two branches of IEC 61966-2-1 meet, in both directions, rounded and as they fall out of the
    // linear branch.
    let branches = [0.040_45_f32, 0.003_130_8, 0.003_130_8 * 12.92, 0.040_45 / 12.92];
    let neighbours = branches
        .iter()
        .flat_map(|point| (0..7).map(|i| point.to_bits() - 3 + i));
    let ordinary = [1.0 / 255.0, 1.0 / 65_535.0, 0.18, 0.5, 1.5, 2.0, 16.0, 65_504.0].map(f32::to_bits);
    let bits = [
        0x0000_0000, // zero
        0x0000_0001, // smallest subnormal
        0x0000_0002,
        0x0040_0000,
        0x007f_ffff, // largest subnormal
        0x0080_0000, // smallest normal
        0x0080_0001,
        0x3f7f_fffe, // 1 and its neighbours
        0x3f7f_ffff,
        0x3f80_0000,
        0x3f80_0001,
        0x3f80_0002,
        0x7f7f_fffe,
        0x7f7f_ffff, // largest finite
        0x7f80_0000, // infinity
        0x7f80_0001, // signalling NaN, smallest payload
        0x7fa5_a5a5, // signalling NaN
        0x7fbf_ffff, // signalling NaN, largest payload
        0x7fc0_0000, // quiet NaN without payload
        0x7fc1_2345, // quiet NaN with payload
        0x7fff_ffff, // quiet NaN, largest payload
    ];
    let listed = bits.into_iter().chain(neighbours).chain(ordinary);
    let swept = (0..256_u32).flat_map(|exponent| {
        let random = hash(7, 0, 0, exponent, 0) as u32 & 0x007f_ffff;
        [0, 1, 0x0040_0000, 0x007f_ffff, random].map(|fraction| exponent << 23 | fraction)
    });
    listed
        .chain(swept)
        .flat_map(|bits| [bits, bits | 0x8000_0000])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobit::format::{Depth, Format, Layout};
    use isobit::frame::PlaneShape;

    fn values(fill: crate::paint::Fill, plane: u32, width: u32, height: u32) -> Vec<f32> {
        let site = Site {
            format: Format::new(Layout::Rgb, Depth::F32),
            frame: 0,
            plane,
            shape: PlaneShape::tight(width, height, Depth::F32),
        };
        let bytes = fill(&site, 1).remove(0);
        bytes
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect()
    }

    #[test]
    fn every_plane_holds_every_special_value() {
        assert!(special_bits().len() <= (SPECIALS_WIDTH * SPECIALS_HEIGHT) as usize);
        for plane in 0..3 {
            let held: Vec<u32> = values(specials, plane, SPECIALS_WIDTH, SPECIALS_HEIGHT)
                .iter()
                .map(|v| v.to_bits())
                .collect();
            for bits in special_bits() {
                assert!(held.contains(&bits), "plane {plane} lacks {bits:#010x}");
            }
        }
    }

    #[test]
    fn a_special_value_stands_alone_in_each_channel_and_then_among_its_like() {
        let [r, g, b] = [0, 1, 2].map(|plane| values(channels, plane, SPECIALS_WIDTH, CHANNELS_HEIGHT));
        let pixels: Vec<_> = (0..r.len()).map(|i| [r[i], g[i], b[i]].map(f32::to_bits)).collect();
        for bits in special_bits() {
            for alone in [[bits, 0, 0], [0, bits, 0], [0, 0, bits]] {
                assert!(pixels.contains(&alone), "{bits:#010x} is not alone");
            }
            let exponent = |bits: u32| bits >> 23 & 0xff;
            let like = |pixel: &[u32; 3]| pixel[0] == bits && pixel.map(exponent) == [exponent(bits); 3];
            assert!(pixels.iter().any(like), "{bits:#010x} is not among its like");
        }
        // Infinities of all signs meet each other.
        let infinite = |pixel: &&[u32; 3]| pixel.iter().all(|bits| bits & 0x7fff_ffff == 0x7f80_0000);
        assert!(pixels.iter().any(|pixel| infinite(&pixel)));
    }

    #[test]
    fn the_neighbours_of_each_branch_point_are_there() {
        let bits = special_bits();
        for point in [0.040_45_f32, 0.003_130_8] {
            for near in [point.next_down(), point, point.next_up(), -point, -point.next_up()] {
                assert!(bits.contains(&near.to_bits()), "{near:?} is missing");
            }
        }
    }

    #[test]
    fn a_ramp_starts_at_zero_and_ends_at_one() {
        let all = values(sweep, 0, 256, 256);
        let ramp: Vec<f32> = all.chunks_exact(256).step_by(2).flatten().copied().collect();
        assert_eq!((ramp[0], ramp[ramp.len() - 1]), (0.0, 1.0));
        assert!(ramp.is_sorted_by(|a, b| a < b));
        let noise: Vec<f32> = all.chunks_exact(256).skip(1).step_by(2).flatten().copied().collect();
        assert!(noise.iter().all(|v| (-0.5..2.0).contains(v)));
        assert!(noise.iter().any(|v| *v < -0.4) && noise.iter().any(|v| *v > 1.9));
    }
}
