//! The specification of `geometry`.

use isobit::kernel::KernelError;
use isobit::options::{KernelOption, Options};

use super::resize::{Axis, Resample};
use super::turn::Turn;
use super::{
    ANGLE, CROP_HEIGHT, CROP_WIDTH, CROP_X, CROP_Y, EXPAND, FLIP, HEIGHT, INTERPOLATION, NAME, RESAMPLE, WIDTH,
};
use crate::raster::{Raster, held};

/// The largest side of a picture: up to it, places in units of 2^-16 of a sample fit an `i32`.
pub const LARGEST_SIDE: u32 = 16_384;

/// A rectangle of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crop {
    /// Its first column and row.
    pub corner: [u32; 2],
    /// Its width and height; 0 reaches to the edge.
    pub size: [u32; 2],
}

/// What a rotation does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation {
    /// Degrees, clockwise.
    pub angle: f64,
    /// Whether the frame becomes as large as the rotated picture.
    pub expand: bool,
    /// How the picture is interpolated.
    pub interpolation: Interpolation,
}

/// How a rotated picture is interpolated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// By the cubic convolution of Keys over 4×4 samples.
    Bicubic,
    /// By straight lines over 2×2 samples.
    Bilinear,
}

impl Interpolation {
    /// The weights of the four samples from the one before the place on, each a cubic of the distance from the second: the
    /// coefficients of t³, t², t and 1.
    pub(super) const fn cubics(self) -> [[f32; 4]; 4] {
        match self {
            Self::Bicubic => [
                [-0.5, 1.0, -0.5, 0.0],
                [1.5, -2.5, 0.0, 1.0],
                [-1.5, 2.0, 0.5, 0.0],
                [0.5, -0.5, 0.0, 0.0],
            ],
            Self::Bilinear => [
                [0.0, 0.0, 0.0, 0.0],
                [0.0, 0.0, -1.0, 1.0],
                [0.0, 0.0, 1.0, 0.0],
                [0.0, 0.0, 0.0, 0.0],
            ],
        }
    }
}

/// What is exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flip {
    /// Nothing.
    None,
    /// Left and right.
    Horizontal,
    /// Top and bottom.
    Vertical,
}

/// What is done to a picture, in the order of the fields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// What is kept.
    pub crop: Crop,
    /// How that is rotated.
    pub rotation: Rotation,
    /// How that is flipped.
    pub flip: Flip,
    /// Width and height in the end; 0 keeps what it is.
    pub size: [u32; 2],
    /// The weights of resizing.
    pub resample: Resample,
}

impl Settings {
    /// Those that the options of the kernel ask for.
    pub fn of(options: &Options) -> Self {
        let side = |option: KernelOption| options.integer(option.name) as u32;
        Self {
            crop: Crop {
                corner: [side(CROP_X), side(CROP_Y)],
                size: [side(CROP_WIDTH), side(CROP_HEIGHT)],
            },
            rotation: Rotation {
                angle: options.number(ANGLE.name),
                expand: options.flag(EXPAND.name),
                interpolation: match options.choice(INTERPOLATION.name) {
                    "bilinear" => Interpolation::Bilinear,
                    _ => Interpolation::Bicubic,
                },
            },
            flip: match options.choice(FLIP.name) {
                "horizontal" => Flip::Horizontal,
                "vertical" => Flip::Vertical,
                _ => Flip::None,
            },
            size: [side(WIDTH), side(HEIGHT)],
            resample: match options.choice(RESAMPLE.name) {
                "bilinear" => Resample::Bilinear,
                "area" => Resample::Area,
                _ => Resample::Lanczos3,
            },
        }
    }
}

/// Where each sample of a picture of one size comes from, in the numbers that reference and twins compute with.
#[derive(Clone, Debug, PartialEq)]
pub struct Geometry {
    pub(super) placement: Placement,
    /// The weights of resizing along rows and columns; absent where a side stays as it is.
    pub(super) axes: [Option<Axis>; 2],
}

/// Crop, rotation and flip as one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placement {
    /// The first column and row of the picture that is placed.
    pub(super) corner: [u32; 2],
    /// Its width and height.
    pub(super) from: [u32; 2],
    /// Width and height of what comes out.
    pub(super) to: [u32; 2],
    /// From distances to the centre of what comes out to those in the picture: column from column and row, row from both.
    pub(super) matrix: [f32; 4],
    /// The cubics of the interpolation.
    pub(super) cubics: [[f32; 4]; 4],
}

impl Geometry {
    /// What `settings` do to pictures of `size`.
    ///
    /// # Errors
    /// If the crop is not inside of the picture, or a side is above [`LARGEST_SIDE`].
    pub fn new(settings: &Settings, size: [u32; 2]) -> Result<Self, KernelError> {
        let unsupported = |reason: String| KernelError::Unsupported { kernel: NAME, reason };
        if let Some(side) = size.into_iter().chain(settings.size).find(|side| *side > LARGEST_SIDE) {
            return Err(unsupported(format!(
                "a side of {side} samples is above {LARGEST_SIDE}, up to which places are known to 2^-16 of a sample"
            )));
        }
        let Crop { corner, size: kept } = settings.crop;
        let mut from = [0; 2];
        for axis in 0..2 {
            let rest = size[axis].saturating_sub(corner[axis]);
            from[axis] = if kept[axis] == 0 { rest } else { kept[axis] };
            if rest == 0 || from[axis] > rest {
                return Err(unsupported(format!(
                    "a crop of {}x{} from ({}, {}) is not inside of a picture of {}x{}",
                    kept[0], kept[1], corner[0], corner[1], size[0], size[1]
                )));
            }
        }
        let turn = Turn::of(settings.rotation.angle);
        let to = rotated(from, turn, settings.rotation.expand);
        // A flip turns the sign of distances in what comes out.
        let (column, row) = match settings.flip {
            Flip::None => (1.0, 1.0),
            Flip::Horizontal => (-1.0, 1.0),
            Flip::Vertical => (1.0, -1.0),
        };
        let axis = |axis: usize| {
            let side = settings.size[axis];
            (side != 0 && side != to[axis]).then(|| Axis::new(to[axis], side, settings.resample))
        };
        Ok(Self {
            placement: Placement {
                corner,
                from,
                to,
                matrix: [
                    turn.cosine * column,
                    turn.sine * row,
                    -turn.sine * column,
                    turn.cosine * row,
                ],
                cubics: settings.rotation.interpolation.cubics(),
            },
            axes: [axis(0), axis(1)],
        })
    }

    /// Width and height of what comes out.
    pub fn size(&self) -> [u32; 2] {
        [0, 1].map(|axis| {
            let resized = self.axes[axis].as_ref().map(|weights| weights.firsts.len() as u32);
            resized.unwrap_or(self.placement.to[axis])
        })
    }

    /// What becomes of `raster`, a picture of the size that this was made for.
    pub fn apply(&self, raster: &Raster) -> Raster {
        let placed = place(raster, &self.placement);
        let passes = self.passes();
        passes.iter().fold(placed, |picture, pass| pass.apply(&picture))
    }

    /// Where the picture is resized, rows first.
    pub(super) fn passes(&self) -> Vec<Pass<'_>> {
        let sides = [Side::Rows, Side::Columns].into_iter().zip(&self.axes);
        let passes = sides.filter_map(|(side, axis)| {
            Some(Pass {
                side,
                axis: axis.as_ref()?,
            })
        });
        passes.collect()
    }
}

/// What is resized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Rows,
    Columns,
}

/// Resizing of one side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass<'a> {
    pub(super) side: Side,
    pub(super) axis: &'a Axis,
}

impl Pass<'_> {
    pub(super) fn apply(&self, raster: &Raster) -> Raster {
        let axis = self.axis;
        let count = axis.firsts.len() as u32;
        match self.side {
            Side::Rows => Raster::of(count, raster.height, |x, y| {
                weighed(axis, x, |sample| raster.at(sample, y))
            }),
            Side::Columns => Raster::of(raster.width, count, |x, y| {
                weighed(axis, y, |sample| raster.at(x, sample))
            }),
        }
    }
}

/// The size of a rotated picture.
fn rotated([width, height]: [u32; 2], turn: Turn, expand: bool) -> [u32; 2] {
    if turn.is_quarters {
        return if turn.sine == 0.0 {
            [width, height]
        } else {
            [height, width]
        };
    }
    if !expand {
        return [width, height];
    }
    let [sine, cosine] = [turn.sine, turn.cosine].map(|part| f64::from(part.abs()));
    let [w, h] = [width, height].map(f64::from);
    // A thousandth of a sample more is the rounding of the sine and no reason for another column.
    [w * cosine + h * sine, w * sine + h * cosine].map(|side| (side - 0.001).ceil() as u32)
}

/// `raster` with `settings` applied.
///
/// # Errors
/// As [`Geometry::new`].
pub fn apply(raster: &Raster, settings: &Settings) -> Result<Raster, KernelError> {
    Ok(Geometry::new(settings, [raster.width, raster.height])?.apply(raster))
}

/// The centre of a side.
pub(super) fn centre(side: u32) -> f32 {
    (side - 1) as f32 * 0.5
}

pub(super) fn place(raster: &Raster, placement: &Placement) -> Raster {
    let [to_x, to_y] = placement.to.map(centre);
    let [from_x, from_y] = placement.from.map(centre);
    let [xx, xy, yx, yy] = placement.matrix;
    Raster::of(placement.to[0], placement.to[1], |x, y| {
        let (dx, dy) = (x as f32 - to_x, y as f32 - to_y);
        let column = fixed((xx * dx + xy * dy) + from_x);
        let row = fixed((yx * dx + yy * dy) + from_y);
        let mut sum = 0.0;
        for (j, cubic) in (-1..).zip(&placement.cubics) {
            let weight = weight(cubic, row & 0xffff);
            if weight != 0.0 {
                sum += weight * interpolated(raster, placement, column, (row >> 16) + j);
            }
        }
        held(sum)
    })
}

/// A place in units of 2^-16 of a sample.
fn fixed(place: f32) -> i32 {
    (place * 65_536.0 + 0.5).floor() as i32
}

/// The weight of one of four samples.
fn weight(&[cube, square, slope, start]: &[f32; 4], fraction: i32) -> f32 {
    let t = fraction as f32 * (1.0 / 65_536.0);
    ((cube * t + square) * t + slope) * t + start
}

/// The picture at column `column` of row `y`.
fn interpolated(raster: &Raster, placement: &Placement, column: i32, y: i32) -> f32 {
    let [width, height] = placement.from.map(|side| side as i32);
    let mut sum = 0.0;
    if y < 0 || y >= height {
        return sum;
    }
    for (i, cubic) in (-1..).zip(&placement.cubics) {
        let x = (column >> 16) + i;
        let weight = weight(cubic, column & 0xffff);
        if weight != 0.0 && x >= 0 && x < width {
            sum += weight * raster.at(placement.corner[0] + x as u32, placement.corner[1] + y as u32);
        }
    }
    held(sum)
}

/// The weighted mean for sample `o` of an axis.
fn weighed(axis: &Axis, o: u32, sample: impl Fn(u32) -> f32) -> f32 {
    let first = axis.firsts[o as usize];
    let weights = &axis.weights[o as usize * axis.taps..][..axis.taps];
    let mut sum = 0.0;
    for (place, weight) in (first..).zip(weights) {
        sum += weight * sample(place);
    }
    held(sum)
}

#[cfg(test)]
mod tests;
