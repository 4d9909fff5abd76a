//! A night sky that drifts from frame to frame: stars by a formula, moved by known parts of a sample, under Gaussian noise. Knows
//! nothing of stacking.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use png::{BitDepth, ColorType, Encoder};

/// The level of the empty sky, 1 the white: high enough that noise seldom ends at black.
const LEVEL: f64 = 0.15;
/// Samples of the frame for each star.
const ROOM: f64 = 500.0;

/// What the frames show, and through what weather.
#[derive(Clone, Copy, Debug)]
pub struct Sky {
    /// Columns of a frame.
    pub width: u32,
    /// Rows of a frame.
    pub height: u32,
    /// Standard deviation of the noise, 1 the white.
    pub noise: f64,
    /// How far a frame is moved at most in each direction, in samples.
    pub drift: f64,
    /// The half-width of a star in samples: the least and the greatest.
    pub seeing: [f64; 2],
}

/// What a random number is for; each purpose has numbers of its own.
#[derive(Clone, Copy)]
enum Purpose {
    Star,
    Drift,
    Seeing,
    Noise,
}

impl Sky {
    /// How far frame `frame` is moved to the right and down, in samples. The first stays where it is.
    pub fn moved(&self, frame: u32) -> [f64; 2] {
        [0, 1].map(|axis| match frame {
            0 => 0.0,
            _ => self.drift * (2.0 * even(Purpose::Drift, frame, axis) - 1.0),
        })
    }

    /// The half-width of a star in frame `frame`, in samples.
    pub fn blur(&self, frame: u32) -> f64 {
        let [least, greatest] = self.seeing;
        least + (greatest - least) * even(Purpose::Seeing, frame, 0)
    }

    /// The light without noise, row by row, of a sky that is moved to the right and down, its stars of half-width `blur`.
    pub fn light(&self, moved: [f64; 2], blur: f64) -> Vec<f64> {
        let sides = [self.width, self.height];
        let stars = (f64::from(sides[0]) * f64::from(sides[1]) / ROOM).ceil() as u32;
        let mut light = vec![LEVEL; sides[0] as usize * sides[1] as usize];
        for star in 0..stars {
            // The same light on more samples as a star widens; many stars are faint.
            let peak = (0.1 + 0.6 * even(Purpose::Star, star, 2).powi(2)) * (self.seeing[0] / blur).powi(2);
            let [across, down] = [0, 1].map(|axis| {
                let place = even(Purpose::Star, star, axis as u32) * f64::from(sides[axis]) + moved[axis];
                let fall = move |at: u32| (-((f64::from(at) - place) / blur).powi(2) / 2.0).exp();
                (0..sides[axis]).map(fall).collect::<Vec<_>>()
            });
            for (row, down) in light.chunks_mut(sides[0] as usize).zip(&down) {
                for (light, across) in row.iter_mut().zip(&across) {
                    *light += peak * across * down;
                }
            }
        }
        light
    }

    /// Frame `frame` as codes of 16 bits, row by row.
    pub fn frame(&self, frame: u32) -> Vec<u16> {
        let light = self.light(self.moved(frame), self.blur(frame));
        let code = |(place, light): (u32, f64)| {
            let sample = light + self.noise * normal(frame, place);
            (sample * 65_535.0).round().clamp(0.0, 65_535.0) as u16
        };
        (0..).zip(light).map(code).collect()
    }

    /// Writes codes of 16 bits, row by row, as a grey PNG.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path, codes: &[u16]) -> io::Result<()> {
        let mut encoder = Encoder::new(BufWriter::new(File::create(path)?), self.width, self.height);
        encoder.set_color(ColorType::Grayscale);
        encoder.set_depth(BitDepth::Sixteen);
        let mut writer = encoder.write_header()?;
        let bytes: Vec<u8> = codes.iter().flat_map(|code| code.to_be_bytes()).collect();
        writer.write_image_data(&bytes)?;
        Ok(writer.finish()?)
    }
}

/// A number of mean 0 and standard deviation 1 for each place of each frame: twelve even ones, whose sum is normal to within
/// 0.01 in distribution up to three deviations.
fn normal(frame: u32, place: u32) -> f64 {
    let twelve = (0..3).flat_map(|part| {
        let bits = bits(Purpose::Noise, frame, 4 * place + part);
        (0..4).map(move |quarter| f64::from((bits >> (16 * quarter)) as u16))
    });
    // Of 16 bits each, their mean half a step below the middle.
    twelve.sum::<f64>() / 65_536.0 + 12.0 * 0.5 / 65_536.0 - 6.0
}

/// An even number from 0 to 1.
fn even(purpose: Purpose, first: u32, second: u32) -> f64 {
    (bits(purpose, first, second) >> 11) as f64 / (1u64 << 53) as f64
}

/// Bits that depend on what they are for and on two indices: those of SplitMix64 (Steele, Lea, Flood, 2014) from a seed of them.
const fn bits(purpose: Purpose, first: u32, second: u32) -> u64 {
    let seed = ((first as u64) << 32 | second as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut bits = seed.wrapping_add((purpose as u64 + 1).wrapping_mul(0xd1b5_4a32_d192_ed03));
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}
