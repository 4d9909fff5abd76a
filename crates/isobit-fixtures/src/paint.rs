//! From formulas to stored planes: depth, storage and padding, for each kind of content.

use std::sync::LazyLock;

use isobit::format::{Depth, Format};
use isobit::frame::{Frame, PlaneShape};

use crate::clip::decode_png;
use crate::formula::{bands16, checker, degrade16, hash, scene16};

/// The stored bytes of one plane of one frame: of the reference clip, and of the distorted one where two are asked for.
pub type Fill = fn(&Site, usize) -> Vec<Vec<u8>>;

/// The seed of the hash that fills the padding of rows; the contents use 1 to 4.
const PADDING_SEED: u64 = 5;

/// The seed of the noise of [`faint`].
const FAINT_SEED: u64 = 7;

/// The seed of the places of [`specks`] in the first clip; the second has the next.
const SPECKS_SEED: u64 = 8;

/// One plane of one frame.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// Layout and depth of the clip.
    pub format: Format,
    /// Index of the frame.
    pub frame: u32,
    /// Index of the plane.
    pub plane: u32,
    /// Geometry of the plane.
    pub shape: PlaneShape,
}

impl Site {
    /// Stores the bits that `sample` gives for each column and row; padding, if any, is filled with noise over the whole
    /// width of the storage, beyond what the depth allows.
    pub fn paint(&self, clip: usize, sample: impl Fn(u32, u32) -> u32) -> Vec<u8> {
        match self.format.depth.bytes() {
            1 => self.store::<1>(clip, sample),
            2 => self.store::<2>(clip, sample),
            _ => self.store::<4>(clip, sample),
        }
    }

    fn store<const BYTES: usize>(&self, clip: usize, sample: impl Fn(u32, u32) -> u32) -> Vec<u8> {
        let mut bytes = vec![0; self.shape.bytes()];
        for (y, row) in (0..).zip(bytes.chunks_exact_mut(self.shape.stride)) {
            let (shown, padding) = row.split_at_mut(self.shape.width as usize * BYTES);
            for (x, stored) in (0..).zip(shown.chunks_exact_mut(BYTES)) {
                stored.copy_from_slice(&sample(x, y).to_le_bytes()[..BYTES]);
            }
            for (x, byte) in (0..).zip(padding) {
                *byte = hash(PADDING_SEED + clip as u64, self.frame, self.plane, x, y) as u8;
            }
        }
        bytes
    }

    fn subsampling(&self) -> (u32, u32) {
        self.format.layout.subsampling(self.plane as usize)
    }

    /// Bits to shift a 16-bit picture right by; float clips have no such pictures.
    fn shift(&self) -> u32 {
        16_u32.saturating_sub(self.format.depth.bits())
    }

    fn scene(&self) -> Vec<u16> {
        let (frame, plane, sub) = (self.frame, self.plane, self.subsampling());
        let mut picture = Vec::with_capacity(self.shape.samples() as usize);
        for y in 0..self.shape.height {
            picture.extend((0..self.shape.width).map(|x| scene16(frame, plane, sub, x, y)));
        }
        picture
    }

    /// A 16-bit picture and, for a second clip, its degraded twin.
    fn paint_degraded(&self, clips: usize, picture: &[u16]) -> Vec<Vec<u8>> {
        let (width, shift) = (self.shape.width, self.shift());
        let sound = |x: u32, y: u32| u32::from(picture[(y * width + x) as usize] >> shift);
        let degraded = |x, y| u32::from(degrade16(picture, width, self.frame, self.plane, x, y) >> shift);
        let mut planes = vec![self.paint(0, sound)];
        if clips > 1 {
            planes.push(self.paint(1, degraded));
        }
        planes
    }
}

/// Hash noise: every code of an integer depth, or multiples of 2^-24 from 0 to below 1. The clips are unrelated.
pub fn noise(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    let paint = |clip| {
        let seed = 1 + clip as u64;
        let at = |x, y| hash(seed, site.frame, site.plane, x, y);
        match site.format.depth {
            Depth::F32 => site.paint(clip, |x, y| ((at(x, y) >> 40) as f32 / 16_777_216.0).to_bits()),
            depth => site.paint(clip, |x, y| (at(x, y) >> (64 - depth.bits())) as u32),
        }
    };
    (0..clips).map(paint).collect()
}

/// The moving scene and its degraded twin; in float formats hash noise.
pub fn scene(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    if site.format.depth == Depth::F32 {
        return noise(site, clips);
    }
    site.paint_degraded(clips, &site.scene())
}

/// The moving scene twice.
pub fn same(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    vec![scene(site, 1); clips].concat()
}

/// The first frame of the scene and of its degraded twin, in every frame.
pub fn still(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    scene(&Site { frame: 0, ..*site }, clips)
}

/// The scene at the frames 0, 1, 1, 4, 5, 9, 9, 10, and its degraded twin.
pub fn stroll(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    let frame = [0, 1, 1, 4, 5, 9, 9, 10][site.frame as usize % 8];
    scene(&Site { frame, ..*site }, clips)
}

/// Noise from -2 to 2 codes of 8 bits about the middle code, and the same noise three times as strong.
pub fn faint(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    let bits = site.format.depth.bits();
    let (middle, code) = (1_i32 << (bits - 1), 1_i32 << (bits - 8));
    let noise = |x, y| (hash(FAINT_SEED, site.frame, site.plane, x, y) % 5) as i32 - 2;
    (0..clips)
        .map(|clip| site.paint(clip, |x, y| (middle + noise(x, y) * code * [1, 3][clip]) as u32))
        .collect()
}

/// A checkerboard eight codes of 8 bits about the middle code, and one of sixteen.
pub fn lattice(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    let bits = site.format.depth.bits();
    let (middle, step) = (1_u32 << (bits - 1), 8_u32 << (bits - 8));
    (0..clips)
        .map(|clip| {
            let step = step << clip;
            site.paint(
                clip,
                |x, y| if checker(0, x, y) { middle + step } else { middle - step },
            )
        })
        .collect()
}

/// Noise over the highest eighth of all codes. The clips are unrelated.
pub fn glare(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    let bits = site.format.depth.bits();
    let noise = |clip: usize, x, y| (hash(1 + clip as u64, site.frame, site.plane, x, y) >> (67 - bits)) as u32;
    (0..clips)
        .map(|clip| site.paint(clip, |x, y| (7 << (bits - 3)) + noise(clip, x, y)))
        .collect()
}

/// The middle code, and one more in a single sample of each square of seven; another sample in the second clip.
pub fn specks(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    let middle = 1_u32 << (site.format.depth.bits() - 1);
    let speck = |clip: usize, x: u32, y: u32| {
        let place = hash(SPECKS_SEED + clip as u64, site.frame, site.plane, x / 7, y / 7) % 49;
        place == u64::from(y % 7 * 7 + x % 7)
    };
    (0..clips)
        .map(|clip| site.paint(clip, |x, y| middle + u32::from(speck(clip, x, y))))
        .collect()
}

/// Steps of one code up to the highest, 144 columns each, and a code less in the second clip's upper half.
pub fn stairs(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    let top = site.format.depth.max_code().unwrap_or_default();
    let last = (site.shape.width - 1) / 144;
    (0..clips)
        .map(|clip| {
            let lowered = |y: u32| u32::from(clip == 1 && y < site.shape.height / 2);
            site.paint(clip, |x, y| top - (last - x / 144) - lowered(y))
        })
        .collect()
}

/// Ramps of 7 in 2^16 a column from four levels, a quarter of the rows each; the second clip a little brighter.
pub fn shades(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    let shift = site.shift();
    let shade = |clip: usize, x: u32, y: u32| {
        let mut shade = [35_200, 11_000, 19_200, 0][(y / 89 % 4) as usize] + 7 * x + y % 89 + 40 * clip as u32;
        if y < 89 {
            shade = shade / 256 * 256 + 192;
        }
        if (7 * x + 13 * y).is_multiple_of(31) {
            shade += 128;
        }
        shade.min(65_535) >> shift
    };
    (0..clips)
        .map(|clip| site.paint(clip, |x, y| shade(clip, x, y)))
        .collect()
}

/// The lowest code everywhere against the highest everywhere; in odd frames the other way round.
pub fn contrast(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    let top = site.format.depth.max_code().unwrap_or_default();
    let code = |clip: usize| {
        if (clip + site.frame as usize).is_multiple_of(2) {
            0
        } else {
            top
        }
    };
    (0..clips).map(|clip| site.paint(clip, |_, _| code(clip))).collect()
}

/// A checkerboard of the lowest and the highest code, and its inverse.
pub fn extremes(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    let top = site.format.depth.max_code().unwrap_or_default();
    let paint = |clip| {
        let lit = |x, y| checker(site.frame, x, y) == (clip == 0);
        site.paint(clip, |x, y| if lit(x, y) { top } else { 0 })
    };
    (0..clips).map(paint).collect()
}

/// A shallow ramp, and the same in steps of 256 of 65,536.
pub fn bands(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    let (sub, shift) = (site.subsampling(), site.shift());
    let paint = |clip| {
        let step = if clip == 0 { 1 } else { 256 };
        let ramp = |x, y| u32::from(bands16(site.frame, site.plane, sub, x, y));
        site.paint(clip, |x, y| (ramp(x, y) / step * step) >> shift)
    };
    (0..clips).map(paint).collect()
}

/// Every code of the depth once a plane: ascending, descending, and multiplied by an odd number. The distorted clip moves
/// the orders on by one plane.
pub fn codes(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    let max = site.format.depth.max_code().unwrap_or_default();
    let paint = |clip| {
        let order = (site.plane as usize + clip) % 3;
        site.paint(clip, |x, y| {
            let code = y * site.shape.width + x;
            match order {
                0 => code,
                1 => max - code,
                _ => code.wrapping_mul(0x9E37) & max,
            }
        })
    };
    (0..clips).map(paint).collect()
}

/// The photograph and its degraded twin.
pub fn photo(site: &Site, clips: usize) -> Vec<Vec<u8>> {
    let plane = &PHOTO.planes[site.plane as usize];
    let rows = (0..site.shape.height).flat_map(|y| plane.codes(y));
    // Multiplied by 257, 255 becomes 65,535, and the upper eight bits are the code again.
    let picture: Vec<u16> = rows.map(|code| (code * 257) as u16).collect();
    site.paint_degraded(clips, &picture)
}

/// `photo/LICENCE.md` states where it comes from.
static PHOTO: LazyLock<Frame> = LazyLock::new(decode_photo);

#[expect(clippy::expect_used, reason = "the file is compiled in, and its pin is tested")]
fn decode_photo() -> Frame {
    let stored = include_bytes!("../photo/coffee.png");
    let (_, frame) = decode_png("photo/coffee.png".as_ref(), stored.to_vec()).expect("the photograph is a PNG");
    frame
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobit::format::Layout;

    fn site(depth: Depth, width: u32, height: u32, padding: usize) -> Site {
        let mut shape = PlaneShape::tight(width, height, depth);
        shape.stride += padding * depth.bytes();
        Site {
            format: Format::new(Layout::Rgb, depth),
            frame: 0,
            plane: 0,
            shape,
        }
    }

    #[test]
    fn samples_are_stored_little_endian() {
        let bytes = site(Depth::U10, 2, 1, 0).paint(0, |x, _| 0x102 + x);
        assert_eq!(bytes, [2, 1, 3, 1]);
        let bytes = site(Depth::F32, 1, 1, 0).paint(0, |_, _| 0x7fc1_2345);
        assert_eq!(bytes, [0x45, 0x23, 0xc1, 0x7f]);
    }

    #[test]
    fn padding_is_noise_that_differs_by_row_and_clip() {
        let site = site(Depth::U16, 3, 64, 5);
        let padding = |clip| -> Vec<u8> {
            let bytes = site.paint(clip, |_, _| 0);
            bytes.chunks_exact(16).flat_map(|row| row[6..].to_vec()).collect()
        };
        let (one, two) = (padding(0), padding(1));
        assert_ne!(one, two);
        let mut seen = one.clone();
        seen.sort_unstable();
        seen.dedup();
        assert!(seen.len() > 200, "640 bytes of padding take only {} values", seen.len());
    }

    #[test]
    fn each_plane_holds_every_code_once() {
        for plane in 0..3 {
            let mut site = site(Depth::U10, 32, 32, 0);
            site.plane = plane;
            for bytes in codes(&site, 2) {
                let mut seen: Vec<u16> = bytes
                    .chunks_exact(2)
                    .map(|b| u16::from_le_bytes([b[0], b[1]]))
                    .collect();
                seen.sort_unstable();
                assert!(seen.into_iter().eq(0..1024));
            }
        }
    }

    #[test]
    fn float_noise_lies_in_the_unit_interval() {
        for bytes in noise(&site(Depth::F32, 64, 64, 0), 2) {
            let values = bytes
                .chunks_exact(4)
                .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
            assert!(values.into_iter().all(|v| (0.0..1.0).contains(&v)));
        }
    }
}
