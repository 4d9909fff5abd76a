//! Fixtures whose point is their size: every small width, narrow and tall, just above a power of two, padded rows, and 8K.

use isobit::format::{Depth, Format, Layout};
use isobit::frame::ClipShape;

use crate::catalogue::yuv;
use crate::fixture::Fixture;
use crate::paint::{self, Fill};

/// Defines [`WIDTHS`] and [`FIXTURES`] with a fixture for each width.
macro_rules! sizes {
    ([$($width:literal)*] $($other:expr,)*) => {
        /// The widths of the fixtures `width_*`.
        #[cfg(test)]
        const WIDTHS: &[u32] = &[$($width),*];
        /// Every fixture of this file.
        pub const FIXTURES: &[Fixture] = &[
            $(Fixture {
                name: concat!("width_", $width),
                summary: concat!("a width of ", $width, ", the scene at 8 bits and noise at 16; ", $width, "x37, 2 frames"),
                frames: 2,
                pair: true,
                grid: None,
                for_variants: false,
                shape: |format| small(format, $width),
                fill: by_depth,
            },)*
            $($other,)*
        ];
    };
}

sizes! {
    [
    1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22
    23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44
    45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65
    ]
    sized("narrow_31", "a checkerboard of extremes, 31 wide and 16 bits deep: sums over a column at their largest; 31x1080, 2 frames",
        |format| deep(format, 31), paint::extremes),
    sized("narrow_32", "a checkerboard of extremes, 32 wide and 16 bits deep: sums over a column at their largest; 32x1080, 2 frames",
        |format| deep(format, 32), paint::extremes),
    sized("above_128", "the scene, a sample more than a power of two on each side; 129x129, 2 frames",
        |format| some(format, 129, 129, 0), paint::scene),
    sized("above_512", "the scene, a sample more than powers of two on both sides; 513x257, 2 frames",
        |format| some(format, 513, 257, 0), paint::scene),
    sized("strided", "the scene with 7 samples of noise after each row, large enough for filters of five scales; 331x243, 2 frames",
        |format| some(format, 331, 243, 7), paint::scene),
    Fixture {
        grid: Some("8k"),
        ..sized("uhd_8k", "noise over all codes at 8192x4320, yuv444 at 8 and 16 bits, 2 frames", full, paint::noise)
    },
}

const fn sized(
    name: &'static str,
    summary: &'static str,
    shape: fn(Format) -> Option<ClipShape>,
    fill: Fill,
) -> Fixture {
    Fixture {
        name,
        summary,
        frames: 2,
        pair: true,
        grid: None,
        for_variants: false,
        shape,
        fill,
    }
}

/// A width in the two formats between which the others lie.
fn small(format: Format, width: u32) -> Option<ClipShape> {
    let in_it = [
        Format::new(Layout::Yuv420, Depth::U8),
        Format::new(Layout::Yuv444, Depth::U16),
    ];
    in_it.contains(&format).then(|| ClipShape::tight(format, width, 37))
}

fn by_depth(site: &paint::Site, clips: usize) -> Vec<Vec<u8>> {
    match site.format.depth {
        Depth::U16 => paint::noise(site, clips),
        _ => paint::scene(site, clips),
    }
}

/// 16 bits in every YUV layout.
fn deep(format: Format, width: u32) -> Option<ClipShape> {
    yuv(format, width, 1080).filter(|_| format.depth == Depth::U16)
}

/// Every YUV layout at 8 and 16 bits, and 4:2:0 at 10.
fn some(format: Format, width: u32, height: u32, padding: usize) -> Option<ClipShape> {
    let in_it = match format.depth {
        Depth::U8 | Depth::U16 => Layout::YUV.contains(&format.layout),
        Depth::U10 => format.layout == Layout::Yuv420,
        _ => false,
    };
    in_it.then(|| ClipShape::padded(format, width, height, padding))
}

/// 8K in full chroma.
fn full(format: Format) -> Option<ClipShape> {
    let in_it = format.layout == Layout::Yuv444 && [Depth::U8, Depth::U16].contains(&format.depth);
    in_it.then(|| ClipShape::tight(format, 8192, 4320))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_width_from_1_to_65_is_left_out() {
        assert!(WIDTHS.iter().copied().eq(1..=65));
    }
}
