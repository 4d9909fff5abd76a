//! PNG images as clips of one frame. Refuses what a frame cannot hold instead of dropping it.

use std::io::{Cursor, Read};
use std::path::Path;

use isobit::format::{Depth, Format, Layout};
use isobit::frame::{ClipShape, Frame, Plane};
use png::{BitDepth, ColorType, Decoder, Limits, Transformations};

use super::{ClipError, MAX_FRAME_BYTES, checked_shape};

/// How a file begins.
pub const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// What a byte of a file can at most expand to: the limit of Deflate.
const MAX_EXPANSION: u64 = 1032;

/// The whole file.
pub fn read_all(path: &Path, stream: &mut impl Read) -> Result<Vec<u8>, ClipError> {
    let mut bytes = Vec::new();
    let read = stream.by_ref().take(MAX_FRAME_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|source| ClipError::unreadable(path, source))?;
    if bytes.len() as u64 > MAX_FRAME_BYTES {
        let path = path.to_owned();
        return Err(ClipError::PngLarge { path });
    }
    Ok(bytes)
}

/// Decodes grey images as `mono` and colour as `rgb`, at 16 bits where they have them and else at 8; palettes and grey of
/// fewer bits are expanded to 8. Colour profiles and gamma are passed over: samples are taken as they are stored.
pub fn decode(path: &Path, bytes: Vec<u8>) -> Result<(ClipShape, Frame), ClipError> {
    let undecodable = |source| ClipError::Png {
        path: path.to_owned(),
        source,
    };
    let stored = bytes.len() as u64;
    let limits = Limits {
        bytes: MAX_FRAME_BYTES as usize,
    };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(undecodable)?;

    let (colour, bits) = reader.output_color_type();
    let (layout, samples) = match colour {
        ColorType::Grayscale => (Layout::Mono, 1),
        ColorType::Rgb => (Layout::Rgb, 3),
        _ => return Err(refused(path, "has an alpha channel", colour, bits)),
    };
    if reader.info().animation_control.is_some() {
        return Err(refused(path, "is animated", colour, bits));
    }
    let depth = if bits == BitDepth::Sixteen {
        Depth::U16
    } else {
        Depth::U8
    };
    let (width, height) = (reader.info().width, reader.info().height);
    let shape = checked_shape(path, Format::new(layout, depth), width, height)?;

    let stored_bits = reader.info().bits_per_pixel() as u64 * u64::from(width) * u64::from(height);
    if stored_bits / 8 > stored.saturating_mul(MAX_EXPANSION) {
        return Err(ClipError::truncated(path, 0, &shape, 0));
    }
    let mut pixels = vec![0; shape.frame_bytes()];
    reader.next_frame(&mut pixels).map_err(undecodable)?;
    // Reads the checksums that follow the pixels.
    reader.finish().map_err(undecodable)?;

    let planes = (shape.planes.iter().enumerate()).map(|(plane, &plane_shape)| {
        let size = depth.bytes();
        let of_plane = pixels
            .chunks_exact(samples * size)
            .map(|pixel| &pixel[plane * size..][..size]);
        // Samples of 16 bits are big-endian in the file and little-endian in a plane.
        let bytes = of_plane.flat_map(|sample| sample.iter().rev().copied()).collect();
        Plane::new(plane_shape, depth, bytes).map_err(|_| ClipError::truncated(path, 0, &shape, 0))
    });
    let planes = planes.collect::<Result<_, _>>()?;
    Ok((shape, Frame { planes }))
}

fn refused(path: &Path, content: &'static str, colour: ColorType, bits: BitDepth) -> ClipError {
    let grey = matches!(colour, ColorType::Grayscale | ColorType::GrayscaleAlpha);
    let without = match (grey, bits) {
        (true, BitDepth::Sixteen) => "gray16be",
        (true, _) => "gray",
        (false, BitDepth::Sixteen) => "rgb48be",
        (false, _) => "rgb24",
    };
    ClipError::PngContent {
        path: path.to_owned(),
        content,
        without,
    }
}
