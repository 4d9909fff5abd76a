//! The integer formulas of the fixtures, the same as those of the golden clips. Knows neither depths nor storage.

/// The finaliser of splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
const fn mix64(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The hash of a sample position; `x` and `y` below 65,536.
pub const fn hash(seed: u64, frame: u32, plane: u32, x: u32, y: u32) -> u64 {
    let key = (frame as u64 * 4 + plane as u64) << 32 | (y as u64) << 16 | x as u64;
    mix64(key.wrapping_add(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
}

/// A triangle wave: 0 at 0, 65,535 at `period`, 0 at twice the period.
#[inline(always)]
const fn triangle(v: i32, period: i32) -> i32 {
    let m = v.rem_euclid(2 * period);
    let m = if m < period { m } else { 2 * period - m };
    m * 65_535 / period
}

/// A 16-bit picture of bands, rings, hard edges and grain that moves with the frame; `sub` is the plane's subsampling,
/// and positions in luma samples must be below 32,768.
#[inline(always)]
pub fn scene16(frame: u32, plane: u32, sub: (u32, u32), x: u32, y: u32) -> u16 {
    let (t, p) = (frame as i32, plane as i32);
    let (lx, ly) = ((x * sub.0) as i32, (y * sub.1) as i32);
    let rings = (lx as u32 * lx as u32 + ly as u32 * ly as u32) / 64;
    let bands = triangle(3 * lx + ly + 5 * t + 40 * p, 97) * 3
        + triangle(2 * lx - 5 * ly + 4096 + 3 * t, 61) * 2
        + triangle(rings as i32 + 11 * t, 113) * 2;
    let picture = bands / 7;
    let edge = (lx / 24 + ly / 16 + t) % 5 == 0;
    let picture = if edge { 65_535 - picture } else { picture };
    let grain = (hash(3, frame, plane, x, y) >> 52) as i32 - 2048;
    (picture + grain).clamp(0, 65_535) as u16
}

/// The distorted twin of a 16-bit picture, `width` samples wide: a 2×2 box blur, coarse quantisation and new grain.
#[inline(always)]
pub fn degrade16(picture: &[u16], width: u32, frame: u32, plane: u32, x: u32, y: u32) -> u16 {
    let (w, h) = (width as usize, picture.len() / width as usize);
    let (x0, y0) = (x as usize, y as usize);
    let (x1, y1) = ((x0 + 1).min(w - 1), (y0 + 1).min(h - 1));
    let at = |x: usize, y: usize| i32::from(picture[y * w + x]);
    let here = at(x0, y0);
    let blurred = (here + at(x1, y0) + at(x0, y1) + at(x1, y1)) / 4;
    let quantised = here / 1024 * 1024 + 512;
    let grain = (hash(4, frame, plane, x, y) >> 53) as i32 - 1024;
    ((3 * blurred + quantised) / 4 + grain).clamp(0, 65_535) as u16
}

/// A 16-bit ramp so shallow that coarse steps in it show; `sub` is the plane's subsampling.
#[inline(always)]
pub fn bands16(frame: u32, plane: u32, sub: (u32, u32), x: u32, y: u32) -> u16 {
    (8192 + 12 * x * sub.0 + 6 * y * sub.1 + 64 * frame + 4096 * plane).min(65_535) as u16
}

/// Whether a sample of a checkerboard with squares of 8×8 samples, which swap from frame to frame, is lit.
#[inline(always)]
pub const fn checker(frame: u32, x: u32, y: u32) -> bool {
    (x / 8 + y / 8 + frame) % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix64_gives_its_published_sequence() {
        // The first outputs of the generator seeded with 1234567.
        let outputs: Vec<u64> = (1..=3)
            .map(|i| mix64(1_234_567_u64.wrapping_add(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(i))))
            .collect();
        assert_eq!(
            outputs,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn a_triangle_wave_turns_at_its_period() {
        let wave = [0, 1, 96, 97, 98, 194, -1].map(|v| triangle(v, 97));
        assert_eq!(wave, [0, 675, 64_859, 65_535, 64_859, 0, 675]);
    }

    #[test]
    fn a_lone_sample_is_degraded_from_itself() {
        let degraded = i32::from(degrade16(&[40_000], 1, 0, 0, 0, 0));
        let grain = (hash(4, 0, 0, 0, 0) >> 53) as i32 - 1024;
        assert_eq!(degraded - grain, (3 * 40_000 + 39 * 1024 + 512) / 4);
    }
}
