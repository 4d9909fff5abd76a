//! What a fixture is, and how its planes become an input. The formulas are elsewhere.

use isobit::format::{Depth, Format, Layout};
use isobit::frame::{Clip, ClipShape, Frame, Input, Plane};
use sha2::{Digest, Sha256};

use crate::catalogue::CATALOGUE;
use crate::paint::{Fill, Site};

/// A deterministic clip, or a reference clip with its distorted twin.
#[derive(Clone, Copy, Debug)]
pub struct Fixture {
    /// The name, in `snake_case`.
    pub name: &'static str,
    /// One sentence on what it shows and which faults it finds.
    pub summary: &'static str,
    pub(crate) frames: usize,
    pub(crate) pair: bool,
    pub(crate) grid: Option<&'static str>,
    pub(crate) for_variants: bool,
    pub(crate) shape: fn(Format) -> Option<ClipShape>,
    pub(crate) fill: Fill,
}

/// Every fixture, in the order in which a matrix shows them; those of separate grids are among them.
pub fn all() -> &'static [Fixture] {
    &CATALOGUE
}

/// The fixture of that name.
pub fn named(name: &str) -> Option<&'static Fixture> {
    CATALOGUE.iter().find(|fixture| fixture.name == name)
}

impl Fixture {
    /// The geometry in a format; `None` where the fixture has no clips in it.
    pub fn shape(&self, format: Format) -> Option<ClipShape> {
        (self.shape)(format)
    }

    /// The number of frames, the same in every format; at least one.
    pub const fn frames(&self) -> usize {
        self.frames
    }

    /// Whether what it shows is the distortion of one clip against the other. A kernel of a single clip learns nothing from it
    /// that another fixture does not show.
    pub const fn is_pair(&self) -> bool {
        self.pair
    }

    /// The grid that it belongs to, which runs only when it is asked for; absent for the fixtures of the matrix.
    pub const fn grid(&self) -> Option<&'static str> {
        self.grid
    }

    /// Whether only the variants of kernels that name it show it: it shows nothing without the numbers of their options.
    pub const fn is_for_variants(&self) -> bool {
        self.for_variants
    }

    /// Every format that the fixture has clips in.
    pub fn formats(&self) -> impl Iterator<Item = Format> + '_ {
        let every = |layout| Depth::ALL.into_iter().map(move |depth| Format::new(layout, depth));
        let has_clips = |format: &Format| self.shape(*format).is_some();
        Layout::ALL.into_iter().flat_map(every).filter(has_clips)
    }

    /// The reference clip, followed by the distorted one where `clips` is 2.
    ///
    /// `None` where the fixture has no clips in the format, or `clips` is neither 1 nor 2.
    pub fn input(&self, format: Format, clips: usize) -> Option<Input> {
        let shape = self.shape(format)?;
        if !(1..=2).contains(&clips) {
            return None;
        }
        let mut frames = vec![Vec::with_capacity(self.frames); clips];
        for frame in 0..self.frames {
            let mut planes = vec![Vec::with_capacity(shape.planes.len()); clips];
            for (plane, &plane_shape) in shape.planes.iter().enumerate() {
                let site = Site {
                    format,
                    frame: frame as u32,
                    plane: plane as u32,
                    shape: plane_shape,
                };
                for (planes, bytes) in planes.iter_mut().zip((self.fill)(&site, clips)) {
                    planes.push(plane_of(&site, bytes));
                }
            }
            for (frames, planes) in frames.iter_mut().zip(planes) {
                frames.push(Frame { planes });
            }
        }
        Some(input_of(&shape, frames))
    }

    /// The SHA-256, in lower-case hexadecimal, of the samples of all clips as stored: clip by clip, frame by frame, plane by
    /// plane, row by row, without the padding of rows.
    pub fn digest(input: &Input) -> String {
        let mut hash = Sha256::new();
        let frames = input.clips().iter().flat_map(Clip::frames);
        for plane in frames.flat_map(|frame| &frame.planes) {
            for y in 0..plane.shape().height {
                hash.update(plane.row(y));
            }
        }
        format!("{:x}", hash.finalize())
    }
}

#[expect(clippy::expect_used, reason = "a site paints exactly the bytes of its shape")]
fn plane_of(site: &Site, bytes: Vec<u8>) -> Plane {
    Plane::new(site.shape, site.format.depth, bytes).expect("a painted plane has its shape")
}

#[expect(clippy::expect_used, reason = "all planes were made from the one shape")]
fn input_of(shape: &ClipShape, frames: Vec<Vec<Frame>>) -> Input {
    let clips = frames.into_iter().map(|frames| Clip::new(shape.clone(), frames));
    let clips = clips.collect::<Result<_, _>>().expect("a painted frame has its shape");
    Input::new(clips).expect("painted clips share their shape and length")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All but those whose clips take seconds to paint.
    fn small(fixture: &&Fixture) -> bool {
        fixture.name != "large" && fixture.grid.is_none()
    }

    #[test]
    fn names_are_unique_and_found() {
        for fixture in all() {
            let found = named(fixture.name).unwrap();
            assert!(std::ptr::eq(found, fixture), "`{}` is named twice", fixture.name);
        }
        assert!(named("no_such_fixture").is_none());
    }

    #[test]
    fn the_first_of_two_clips_is_the_single_one() {
        for fixture in all().iter().filter(small) {
            // At 8 bits the steps of `bands` vanish in the rounding, so the deepest format decides.
            let format = fixture.formats().last().unwrap();
            let (one, two) = (fixture.input(format, 1).unwrap(), fixture.input(format, 2).unwrap());
            assert_eq!(one.clips(), &two.clips()[..1], "{}", fixture.name);
            let equal = two.clips()[0] == two.clips()[1];
            assert_eq!(equal, fixture.name == "same", "{}", fixture.name);
        }
    }

    #[test]
    fn only_one_or_two_clips_exist() {
        let format = Format::new(Layout::Yuv420, Depth::U8);
        let fixture = named("tiny_7x5").unwrap();
        assert!(fixture.input(format, 0).is_none());
        assert!(fixture.input(format, 3).is_none());
        assert!(fixture.input(Format::new(Layout::Yuv420, Depth::F32), 1).is_none());
    }

    #[test]
    fn inputs_have_their_geometry_and_codes_their_depth() {
        for fixture in all().iter().filter(small) {
            for format in fixture.formats() {
                let input = fixture.input(format, 2).unwrap();
                assert_eq!((input.clips().len(), input.frames()), (2, fixture.frames()));
                assert_eq!(input.shape(), &fixture.shape(format).unwrap());

                let Some(max) = format.depth.max_code() else { continue };
                let frames = input.clips().iter().flat_map(Clip::frames);
                for plane in frames.flat_map(|frame| &frame.planes) {
                    let rows = 0..plane.shape().height;
                    let largest = rows.flat_map(|y| plane.codes(y)).max().unwrap();
                    assert!(largest <= max, "{} {format}: {largest}", fixture.name);
                }
            }
        }
    }
}
