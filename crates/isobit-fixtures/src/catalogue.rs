//! The list of fixtures: names, sizes and formats. What they show is in `paint` and `float`.

use std::sync::LazyLock;

use isobit::format::{Depth, Format, Layout};
use isobit::frame::ClipShape;

use crate::fixture::Fixture;
use crate::float;
use crate::paint;
use crate::points;
use crate::sizes;
use crate::stars;

/// Every fixture, in the order in which a matrix shows them.
pub static CATALOGUE: LazyLock<Vec<Fixture>> = LazyLock::new(|| [FIXTURES, sizes::FIXTURES].concat());

const FIXTURES: &[Fixture] = &[
    Fixture {
        name: "scene",
        summary: "moving bands, rings, hard edges and grain, against a blurred and quantised twin; 358x354 (other layouts 67x61), 3 frames",
        frames: 3,
        pair: true,
        grid: None,
        for_variants: false,
        shape: integer_picture,
        fill: paint::scene,
    },
    Fixture {
        name: "noise",
        summary: "two unrelated fields of noise over all codes: the largest sums and errors; 358x354 (other layouts 67x61), 3 frames",
        frames: 3,
        pair: false,
        grid: None,
        for_variants: false,
        shape: integer_picture,
        fill: paint::noise,
    },
    Fixture {
        name: "extremes",
        summary: "a checkerboard of the lowest and the highest code against its inverse; 358x354, 3 frames",
        frames: 3,
        pair: false,
        grid: None,
        for_variants: false,
        shape: |format| yuv(format, 358, 354),
        fill: paint::extremes,
    },
    Fixture {
        name: "bands",
        summary: "a shallow ramp against the same in steps of 1/256, which 8 bits cannot tell apart; 358x354, 3 frames",
        frames: 3,
        pair: true,
        grid: None,
        for_variants: false,
        shape: |format| yuv(format, 358, 354),
        fill: paint::bands,
    },
    Fixture {
        name: "same",
        summary: "the scene against itself: errors of zero, divisions by them and their logarithms; 358x354, 3 frames",
        frames: 3,
        pair: true,
        grid: None,
        for_variants: false,
        shape: |format| yuv(format, 358, 354),
        fill: paint::same,
    },
    Fixture {
        name: "still",
        summary: "one frame of the scene three times over: no motion, and errors that repeat; 67x61, 3 frames",
        frames: 3,
        pair: true,
        grid: None,
        for_variants: false,
        shape: |format| yuv(format, 67, 61),
        fill: paint::still,
    },
    Fixture {
        name: "contrast",
        summary: "all samples 0 against all at the highest code, swapped from frame to frame: sums at their largest; 358x354, 2 frames",
        frames: 2,
        pair: true,
        grid: None,
        for_variants: false,
        shape: |format| yuv(format, 358, 354),
        fill: paint::contrast,
    },
    Fixture {
        name: "faint",
        summary: "noise of two codes about grey against three times as much: variances at the edge of what counts; 358x354, 1 frame",
        frames: 1,
        pair: true,
        grid: None,
        for_variants: false,
        shape: |format| yuv(format, 358, 354),
        fill: paint::faint,
    },
    Fixture {
        name: "lattice",
        summary: "a checkerboard of small steps about grey against one twice as strong: detail in one diagonal band alone; 97x65, 1 frame",
        frames: 1,
        pair: true,
        grid: None,
        for_variants: false,
        shape: |format| yuv(format, 97, 65),
        fill: paint::lattice,
    },
    Fixture {
        name: "glare",
        summary: "unrelated noise over the highest eighth of all codes: the largest sums of squares that still vary; 65x43, 1 frame",
        frames: 1,
        pair: true,
        grid: None,
        for_variants: false,
        shape: |format| yuv(format, 65, 43),
        fill: paint::glare,
    },
    Fixture {
        name: "specks",
        summary: "flat grey with one sample in each square of seven a code brighter, another in each clip: the least variance; 65x43, 1 frame",
        frames: 1,
        pair: true,
        grid: None,
        for_variants: false,
        shape: |format| yuv(format, 65, 43),
        fill: paint::specks,
    },
    Fixture {
        name: "stairs",
        summary: "wide steps of one code up to the highest: windows that hold thousands of samples of a code; 2592x512, yuv420-10, 1 frame",
        frames: 1,
        pair: true,
        grid: None,
        for_variants: false,
        shape: |format| only(format, Layout::Yuv420, Depth::U10, 2592, 512),
        fill: paint::stairs,
    },
    Fixture {
        name: "shades",
        summary: "shallow ramps from black, dark, middle and bright, with a coarser quarter and stray samples; 358x354, 1 frame",
        frames: 1,
        pair: true,
        grid: None,
        for_variants: false,
        shape: |format| yuv(format, 358, 354),
        fill: paint::shades,
    },
    Fixture {
        name: "stroll",
        summary: "the scene at an uneven pace, standing still between: windows over several frames; 35x19, 8 frames",
        frames: 8,
        pair: true,
        grid: None,
        for_variants: false,
        shape: |format| yuv(format, 35, 19),
        fill: paint::stroll,
    },
    Fixture {
        name: "odd",
        summary: "the scene at odd width and height, where chroma rounds up; 357x353 (other layouts 119x59), 2 frames",
        frames: 2,
        pair: false,
        grid: None,
        for_variants: false,
        shape: |format| {
            if Layout::YUV.contains(&format.layout) {
                picture(format, 357, 353, 0)
            } else {
                picture(format, 119, 59, 0)
            }
        },
        fill: paint::scene,
    },
    Fixture {
        name: "padded",
        summary: "the scene with 5 samples of noise after each row, no luma row on a word boundary; 66x43, 2 frames",
        frames: 2,
        pair: false,
        grid: None,
        for_variants: false,
        shape: |format| picture(format, 66, 43, 5),
        fill: paint::scene,
    },
    Fixture {
        name: "tiny_1x1",
        summary: "a single sample of noise; 2 frames",
        frames: 2,
        pair: false,
        grid: None,
        for_variants: false,
        shape: |format| picture(format, 1, 1, 0),
        fill: paint::noise,
    },
    Fixture {
        name: "tiny_1x9",
        summary: "a column of noise, 9 high; 2 frames",
        frames: 2,
        pair: false,
        grid: None,
        for_variants: false,
        shape: |format| picture(format, 1, 9, 0),
        fill: paint::noise,
    },
    Fixture {
        name: "tiny_9x1",
        summary: "a row of noise, 9 wide; 2 frames",
        frames: 2,
        pair: false,
        grid: None,
        for_variants: false,
        shape: |format| picture(format, 9, 1, 0),
        fill: paint::noise,
    },
    Fixture {
        name: "tiny_7x5",
        summary: "noise smaller than a workgroup and most filters; 2 frames",
        frames: 2,
        pair: false,
        grid: None,
        for_variants: false,
        shape: |format| picture(format, 7, 5, 0),
        fill: paint::noise,
    },
    Fixture {
        name: "large",
        summary: "noise beyond 65,535 workgroups of 256 samples; 4160x4096, yuv420-8, 1 frame",
        frames: 1,
        pair: true,
        grid: None,
        for_variants: false,
        shape: |format| only(format, Layout::Yuv420, Depth::U8, 4160, 4096),
        fill: paint::noise,
    },
    Fixture {
        name: "codes",
        summary: "every code of the depth in every plane, in three orders; 1 frame",
        frames: 1,
        pair: false,
        grid: None,
        for_variants: false,
        shape: every_code,
        fill: paint::codes,
    },
    Fixture {
        name: "float_specials",
        summary: "signed zeros, subnormals, infinities, NaNs, neighbours of 1 and of the sRGB branch points, all exponents",
        frames: 1,
        pair: false,
        grid: None,
        for_variants: false,
        shape: |format| {
            let shape = |layout| {
                only(
                    format,
                    layout,
                    Depth::F32,
                    float::SPECIALS_WIDTH,
                    float::SPECIALS_HEIGHT,
                )
            };
            shape(Layout::Rgb).or_else(|| shape(Layout::Mono))
        },
        fill: float::specials,
    },
    Fixture {
        name: "float_channels",
        summary: "each special value in one channel beside zeros, then beside others of its exponent in all three; 64x180, 1 frame",
        frames: 1,
        pair: false,
        grid: None,
        for_variants: false,
        shape: |format| {
            only(
                format,
                Layout::Rgb,
                Depth::F32,
                float::SPECIALS_WIDTH,
                float::CHANNELS_HEIGHT,
            )
        },
        fill: float::channels,
    },
    Fixture {
        name: "float_sweep",
        summary: "a ramp from 0 to 1 and noise from -0.5 to 2; 256x256 (mono 64x64), 1 frame",
        frames: 1,
        pair: false,
        grid: None,
        for_variants: false,
        shape: |format| {
            let shape = |layout, side| only(format, layout, Depth::F32, side, side);
            shape(Layout::Rgb, 256).or_else(|| shape(Layout::Mono, 64))
        },
        fill: float::sweep,
    },
    Fixture {
        name: "stars",
        summary: "stars and a disc that drift by sixteenths of a sample and blur as the air moves; 97x75, 8 frames",
        frames: 8,
        pair: false,
        grid: None,
        for_variants: false,
        shape: |format| sky(format, 97, 75),
        fill: stars::stars,
    },
    Fixture {
        name: "holes",
        summary: "the stars with NaN, infinities, huge and subnormal numbers strewn over them; 61x47, f32, 3 frames",
        frames: 3,
        pair: false,
        grid: None,
        for_variants: false,
        shape: |format| sky(format, 61, 47).filter(|_| format.depth == Depth::F32),
        fill: stars::holes,
    },
    Fixture {
        name: "points",
        summary: "points of light on black, moved, doubled or gone: equalities to the last bit; 97x75, mono-f32, 11 frames",
        frames: points::FRAMES,
        pair: false,
        grid: None,
        for_variants: true,
        shape: |format| only(format, Layout::Mono, Depth::F32, 97, 75),
        fill: points::points,
    },
    Fixture {
        name: "points_wide",
        summary: "the same points in frames of which a half is still wide enough to align by; 131x101, mono-f32, 11 frames",
        frames: points::FRAMES,
        pair: false,
        grid: None,
        for_variants: true,
        shape: |format| only(format, Layout::Mono, Depth::F32, 131, 101),
        fill: points::points,
    },
    Fixture {
        name: "photo",
        summary: "a photograph (CC0) against a blurred and quantised twin; 256x192, rgb-8, 1 frame",
        frames: 1,
        pair: false,
        grid: None,
        for_variants: false,
        shape: |format| only(format, Layout::Rgb, Depth::U8, 256, 192),
        fill: paint::photo,
    },
];

/// YUV at integer depths.
pub fn yuv(format: Format, width: u32, height: u32) -> Option<ClipShape> {
    let in_it = Layout::YUV.contains(&format.layout) && format.depth != Depth::F32;
    in_it.then(|| ClipShape::tight(format, width, height))
}

/// Every layout at integer depths. All but YUV are small: their kernels judge every sample of float planes, and `codes` holds
/// all that a sample can be.
fn integer_picture(format: Format) -> Option<ClipShape> {
    if Layout::YUV.contains(&format.layout) {
        return yuv(format, 358, 354);
    }
    picture(format, 67, 61, 0).filter(|_| format.depth != Depth::F32)
}

/// YUV at integer depths, the other layouts at all.
fn picture(format: Format, width: u32, height: u32, padding: usize) -> Option<ClipShape> {
    let in_it = !Layout::YUV.contains(&format.layout) || format.depth != Depth::F32;
    in_it.then(|| ClipShape::padded(format, width, height, padding))
}

/// Mono, RGB and colour-filter samples at all depths.
fn sky(format: Format, width: u32, height: u32) -> Option<ClipShape> {
    picture(format, width, height, 0).filter(|_| !Layout::YUV.contains(&format.layout))
}

/// A single format.
pub fn only(format: Format, layout: Layout, depth: Depth, width: u32, height: u32) -> Option<ClipShape> {
    (format == Format::new(layout, depth)).then(|| ClipShape::tight(format, width, height))
}

/// Squares of RGB or mono with as many samples as the depth has codes.
fn every_code(format: Format) -> Option<ClipShape> {
    let bits = match (format.layout, format.depth) {
        (Layout::Rgb | Layout::Mono, Depth::U8 | Depth::U10 | Depth::U12 | Depth::U16) => format.depth.bits(),
        _ => return None,
    };
    Some(ClipShape::tight(format, 1 << (bits / 2), 1 << (bits / 2)))
}
