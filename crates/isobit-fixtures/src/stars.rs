//! A night sky: stars and a disc that drift and blur from frame to frame, and the same with holes in it.

use isobit::format::{Depth, Layout};

use crate::formula::hash;
use crate::paint::Site;

/// How far the sky has moved in each frame, in sixteenths of a sample.
pub const DRIFT: [(i64, i64); 8] = [
    (0, 0),
    (21, -9),
    (-35, 14),
    (8, 40),
    (-17, -23),
    (48, 5),
    (-6, 31),
    (29, -44),
];

/// The half-width of a star in each frame, in sixteenths of a sample.
pub const SEEING: [i64; 8] = [28, 40, 24, 34, 26, 48, 30, 22];

/// Stars in the field.
const STARS: u32 = 24;
/// The side of the square that stars lie in, from −16 samples on, in sixteenths of a sample.
const FIELD: u64 = 16 * 128;
/// The level of the empty sky, of 65,535.
const SKY: i64 = 2000;
/// The radius of the disc in sixteenths of a sample, and its level.
const DISC: (i64, i64) = (16 * 14, 14_000);
/// The centre of the disc in sixteenths of a sample.
const DISC_CENTRE: (i64, i64) = (16 * 60, 16 * 33);
/// What is left of the light in red, green and blue, of 256.
const COLOURS: [i64; 3] = [256, 208, 152];

/// Brightness from 0 to 65,535 without grain, of colour `colour`.
fn brightness(frame: usize, colour: usize, x: u32, y: u32) -> i64 {
    let (drift, seeing) = (DRIFT[frame % 8], SEEING[frame % 8]);
    let (x, y) = (i64::from(x) * 16 - drift.0, i64::from(y) * 16 - drift.1);
    let spread = seeing * seeing;
    let mut light = SKY;
    for star in 0..STARS {
        let at = |axis: u32| (hash(9, 0, axis, star, 0) % FIELD) as i64 - 16 * 16;
        let peak = 4000 + (hash(9, 0, 2, star, 0) % 44_000) as i64;
        let distance = (x - at(0)).pow(2) + (y - at(1)).pow(2);
        // A Moffat profile of exponent 2; the same light spreads over more samples as the star widens.
        light += peak * 22 * 22 / spread * spread.pow(2) / (spread + distance).pow(2);
    }
    let distance = (x - DISC_CENTRE.0).pow(2) + (y - DISC_CENTRE.1).pow(2);
    // From half the distance by which the squares differ follows an edge about as wide as a star.
    let inside = (DISC.0 * DISC.0 - distance) / (2 * DISC.0);
    light += (DISC.1 * (inside + seeing) / (2 * seeing)).clamp(0, DISC.1);
    (light * COLOURS[colour] / 256).min(65_535)
}

fn sky16(site: &Site, x: u32, y: u32) -> u32 {
    let colour = match site.format.layout {
        Layout::Bayer => (x % 2 + y % 2) as usize,
        Layout::Rgb => site.plane as usize,
        _ => 0,
    };
    let grain = (hash(9, site.frame + 1, site.plane, x, y) % 601) as i64 - 300;
    (brightness(site.frame as usize, colour, x, y) + grain).clamp(0, 65_535) as u32
}

/// The place in the frame that clip `clip` has there: a second clip is a frame ahead.
const fn later(site: &Site, clip: usize) -> Site {
    Site {
        frame: site.frame + clip as u32,
        ..*site
    }
}

/// The sky at an integer depth, or from 0 to 1.
pub fn stars(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    let shift = 16_u32.saturating_sub(site.format.depth.bits());
    let at = |clip: usize, x, y| sky16(&later(site, clip), x, y);
    let paint = |clip| match site.format.depth {
        Depth::F32 => site.paint(clip, |x, y| (at(clip, x, y) as f32 / 65_535.0).to_bits()),
        _ => site.paint(clip, |x, y| at(clip, x, y) >> shift),
    };
    (0..clips).map(paint).collect()
}

/// The sky with holes: about one sample in sixteen is none, or beyond what a sample may be, some of them side by side.
pub fn holes(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    const NONE: [u32; 8] = [
        0x7fc0_0000,
        0x7f80_0000,
        0xff80_0000,
        0xffc1_2345,
        0x7f00_0000,
        0xfe12_3456,
        0x0000_0007,
        0x8040_0000,
    ];
    let paint = |clip| {
        let site = &later(site, clip);
        site.paint(clip, |x, y| {
            let chance = hash(10, site.frame, site.plane, x / 2, y) as u32;
            if chance.is_multiple_of(16) {
                return NONE[(chance / 16 + x) as usize % NONE.len()];
            }
            (sky16(site, x, y) as f32 / 65_535.0).to_bits()
        })
    };
    (0..clips).map(paint).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sky_moves_by_its_drift() {
        // Frames that differ by a whole number of samples in both directions would be equal but for the seeing, so that the
        // centre of light tells: of the disc, which no star of the field outshines nearby.
        let centre = |frame: usize| {
            let (mut sum, mut moment) = (0.0, 0.0);
            for x in 40..80 {
                let light = (brightness(frame, 0, x, 33) - SKY) as f64;
                sum += light;
                moment += light * f64::from(x);
            }
            moment / sum
        };
        let moved = centre(5) - centre(0);
        assert!((moved - 48.0 / 16.0).abs() < 0.5, "{moved}");
    }

    #[test]
    fn a_wider_star_is_a_dimmer_one() {
        let brightest = |frame: usize| {
            let places = (0..75).flat_map(|y| (0..97).map(move |x| (x, y)));
            places.map(|(x, y)| brightness(frame, 0, x, y)).max().unwrap()
        };
        assert!(brightest(7) > brightest(5), "{} {}", brightest(7), brightest(5));
    }
}
