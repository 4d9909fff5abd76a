//! The specification of `edit_list`.

use isobit::frame::Input;
use isobit::kernel::KernelError;
use isobit::options::Options;
use isobit::output::Output;

use super::{NAME, RECIPE};
use crate::geometry::resize::Resample;
use crate::geometry::{Crop, Flip, Geometry, Interpolation, Rotation};
use crate::raster::Raster;
use crate::tone::Levels;
use crate::{deconvolve, denoise, geometry, load, tone, unsharp, wavelet};

/// One edit.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// An unsharp mask.
    Unsharp(unsharp::Settings),
    /// Wavelet layers with gains and cuts.
    Wavelet(wavelet::Settings),
    /// Removal of noise.
    Denoise(denoise::Settings),
    /// Deconvolution.
    Deconvolve(deconvolve::Settings),
    /// Levels and a curve.
    Tone(tone::Settings),
    /// Crop, rotation, flip and resizing.
    Geometry(geometry::Settings),
}

impl Edit {
    /// The name that receipts show.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Unsharp(_) => "unsharp",
            Self::Wavelet(_) => "wavelet",
            Self::Denoise(_) => "denoise",
            Self::Deconvolve(_) => "deconvolve",
            Self::Tone(_) => "tone",
            Self::Geometry(_) => "geometry",
        }
    }

    /// Whether the host runs it.
    pub const fn is_geometry(&self) -> bool {
        matches!(self, Self::Geometry(_))
    }

    /// The size of what becomes of a picture of `size`.
    ///
    /// # Errors
    /// If a crop reaches beyond it, or it becomes too large.
    pub fn size(&self, size: [u32; 2]) -> Result<[u32; 2], KernelError> {
        match self {
            Self::Geometry(settings) => Ok(Geometry::new(settings, size)?.size()),
            _ => Ok(size),
        }
    }

    /// The raster with the edit applied.
    ///
    /// # Errors
    /// As [`Edit::size`].
    pub fn apply(&self, raster: &Raster) -> Result<Raster, KernelError> {
        Ok(match self {
            Self::Unsharp(settings) => unsharp::apply(raster, settings),
            Self::Wavelet(settings) => wavelet::apply(raster, settings),
            Self::Denoise(settings) => denoise::apply(raster, settings),
            Self::Deconvolve(settings) => deconvolve::apply(raster, settings),
            Self::Tone(settings) => tone::apply(raster, settings),
            Self::Geometry(settings) => geometry::apply(raster, settings)?,
        })
    }
}

/// Edits in order; at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct EditList {
    edits: Vec<Edit>,
}

impl EditList {
    /// A list of `edits`.
    ///
    /// # Errors
    /// If there is none.
    pub fn new(edits: Vec<Edit>) -> Result<Self, KernelError> {
        if edits.is_empty() {
            return Err(KernelError::Unsupported {
                kernel: NAME,
                reason: "the list holds no edit".to_owned(),
            });
        }
        Ok(Self { edits })
    }

    /// The edits, in order.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// The size of what becomes of a picture of `size`.
    ///
    /// # Errors
    /// If a crop reaches beyond the picture that it meets, or one becomes too large.
    pub fn size(&self, size: [u32; 2]) -> Result<[u32; 2], KernelError> {
        self.edits.iter().try_fold(size, |size, edit| edit.size(size))
    }

    /// The raster with all edits applied.
    ///
    /// # Errors
    /// As [`EditList::size`].
    pub fn apply(&self, raster: &Raster) -> Result<Raster, KernelError> {
        let mut edits = self.edits.iter();
        let first = edits.next().map(|edit| edit.apply(raster));
        let first = first.unwrap_or_else(|| Ok(raster.clone()))?;
        edits.try_fold(first, |raster, edit| edit.apply(&raster))
    }
}

/// The lists that the kernel runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipe {
    /// An unsharp mask, crop, rotation and flip, levels, resizing.
    Mixed,
    /// A quarter turn, then a wavelet and a curve.
    GeometryFirst,
    /// Denoising, deconvolution and gamma.
    Filters,
}

impl Recipe {
    /// The names of the lists.
    pub const NAMES: &[&str] = &["mixed", "geometry_first", "filters"];

    /// The list that `options` name.
    pub fn of(options: &Options) -> Self {
        match options.choice(RECIPE) {
            "geometry_first" => Self::GeometryFirst,
            "filters" => Self::Filters,
            _ => Self::Mixed,
        }
    }

    /// The edits for pictures of `size`.
    ///
    /// # Errors
    /// Never for a picture of a size that geometry takes.
    pub fn list(self, [width, height]: [u32; 2]) -> Result<EditList, KernelError> {
        let unsharp = unsharp::Settings {
            radius: 1.5,
            amount: 0.75,
            threshold: 0.0,
        };
        let levels = |gamma| Levels {
            black: 0.02,
            white: 0.9,
            gamma,
            output_black: 0.0,
            output_white: 1.0,
        };
        let keep = geometry::Settings {
            crop: Crop {
                corner: [0, 0],
                size: [0, 0],
            },
            rotation: Rotation {
                angle: 0.0,
                expand: false,
                interpolation: Interpolation::Bicubic,
            },
            flip: Flip::None,
            size: [0, 0],
            resample: Resample::Lanczos3,
        };
        let edits = match self {
            Self::Mixed => vec![
                Edit::Unsharp(unsharp),
                Edit::Geometry(geometry::Settings {
                    // Three quarters of each side, cut where a quarter of what is left over ends.
                    crop: Crop {
                        corner: [width / 16, height / 16],
                        size: [width - width / 4, height - height / 4],
                    },
                    rotation: Rotation {
                        angle: 12.5,
                        ..keep.rotation
                    },
                    flip: Flip::Horizontal,
                    ..keep
                }),
                Edit::Tone(tone::Settings::new(&levels(1.4), &tone::curve::STRAIGHT)?),
                Edit::Geometry(geometry::Settings {
                    size: [width.div_ceil(2), height.div_ceil(2)],
                    ..keep
                }),
            ],
            Self::GeometryFirst => vec![
                Edit::Geometry(geometry::Settings {
                    rotation: Rotation {
                        angle: 90.0,
                        ..keep.rotation
                    },
                    ..keep
                }),
                Edit::Wavelet(wavelet::Settings {
                    gains: [2.0, 1.5, 1.0, 1.0, 1.0, 1.0],
                    cuts: [0.002, 0.001, 0.0, 0.0, 0.0, 0.0],
                    hard: false,
                }),
                Edit::Tone(tone::Settings::new(&levels(1.0), &[0.0, 0.2, 0.5, 0.8, 1.0])?),
            ],
            Self::Filters => vec![
                Edit::Denoise(denoise::Settings {
                    strength: 3.0,
                    layers: 3,
                    noise: None,
                }),
                Edit::Deconvolve(deconvolve::Settings {
                    iterations: 4,
                    psf: deconvolve::psf::Psf::Gaussian(1.25),
                    limb_guard: 0.0,
                }),
                Edit::Tone(tone::Settings::new(&levels(2.2), &tone::curve::STRAIGHT)?),
            ],
        };
        EditList::new(edits)
    }
}

/// The plane `metric` of every raster of every frame, with `list` applied.
pub(super) fn outputs(input: &Input, metric: &'static str, list: &EditList) -> Result<Vec<Output>, KernelError> {
    let mut outputs = Vec::new();
    for frame in 0..input.frames() {
        for (plane, raster) in load::load(input, 0, frame).iter().enumerate() {
            outputs.push(list.apply(raster)?.output(metric, frame, plane));
        }
    }
    Ok(outputs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_its_edits_in_order() {
        let raster = Raster::of(20, 12, |x, y| ((x * 7 + y * 13) % 17) as f32 / 17.0);
        for recipe in [Recipe::Mixed, Recipe::GeometryFirst, Recipe::Filters] {
            let list = recipe.list([20, 12]).unwrap();
            let mut expected = raster.clone();
            for edit in list.edits() {
                expected = edit.apply(&expected).unwrap();
            }
            assert_eq!(list.apply(&raster).unwrap(), expected, "{recipe:?}");
            assert_eq!(
                list.size([20, 12]).unwrap(),
                [expected.width, expected.height],
                "{recipe:?}"
            );
        }
        let turned = Recipe::GeometryFirst.list([20, 12]).unwrap();
        assert_eq!(turned.size([20, 12]).unwrap(), [12, 20]);
    }

    #[test]
    fn the_order_of_edits_matters() {
        let raster = Raster::of(16, 16, |x, y| ((x * 5 + y * 3) % 11) as f32 / 11.0);
        let mut edits = Recipe::Mixed.list([16, 16]).unwrap().edits().to_vec();
        let forwards = EditList::new(edits.clone()).unwrap().apply(&raster).unwrap();
        edits.swap(0, 2);
        let swapped = EditList::new(edits).unwrap().apply(&raster).unwrap();
        assert_ne!(forwards, swapped);
    }

    #[test]
    fn an_empty_list_and_a_crop_beyond_the_picture_are_refused() {
        assert!(EditList::new(Vec::new()).is_err());
        let Edit::Geometry(settings) = Recipe::Mixed.list([64, 64]).unwrap().edits()[1].clone() else {
            panic!("the second edit is no geometry");
        };
        let list = EditList::new(vec![Edit::Geometry(settings)]).unwrap();
        assert!(list.apply(&Raster::of(8, 8, |_, _| 0.5)).is_err());
    }
}
