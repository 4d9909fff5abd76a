//! PNG: what is expanded, what is refused, and files that are broken.

use super::*;
use ::png::{BitDepth, ColorType};

fn planes(bytes: &[u8]) -> (String, Vec<Vec<u8>>) {
    let (shape, frames) = frames("a.png", bytes, None).unwrap();
    assert_eq!(frames.len(), 1);
    let planes = frames[0].planes.iter().map(|plane| plane.bytes().to_vec()).collect();
    (format!("{} {}x{}", shape.format, shape.width, shape.height), planes)
}

#[test]
fn grey_and_colour_of_8_and_16_bits() {
    let file = png_of(ColorType::Grayscale, BitDepth::Eight, 3, 1, &[1, 2, 3]);
    assert_eq!(planes(&file), ("mono-8 3x1".to_owned(), vec![vec![1, 2, 3]]));
    let file = png_of(ColorType::Grayscale, BitDepth::Sixteen, 1, 2, &[1, 2, 3, 4]);
    assert_eq!(planes(&file), ("mono-16 1x2".to_owned(), vec![vec![2, 1, 4, 3]]));
    let file = png_of(ColorType::Rgb, BitDepth::Eight, 2, 1, &[1, 2, 3, 4, 5, 6]);
    assert_eq!(
        planes(&file),
        ("rgb-8 2x1".to_owned(), vec![vec![1, 4], vec![2, 5], vec![3, 6]])
    );
    let file = png_of(ColorType::Rgb, BitDepth::Sixteen, 1, 1, &[1, 2, 3, 4, 5, 6]);
    assert_eq!(
        planes(&file),
        ("rgb-16 1x1".to_owned(), vec![vec![2, 1], vec![4, 3], vec![6, 5]])
    );
}

#[test]
fn palettes_and_few_bits_are_expanded() {
    let file = png_of(ColorType::Indexed, BitDepth::One, 3, 1, &[0b0100_0000]);
    let expected = vec![vec![10, 40, 10], vec![20, 50, 20], vec![30, 60, 30]];
    assert_eq!(planes(&file), ("rgb-8 3x1".to_owned(), expected));
    let file = png_of(ColorType::Grayscale, BitDepth::Two, 4, 1, &[0b0001_1011]);
    assert_eq!(planes(&file), ("mono-8 4x1".to_owned(), vec![vec![0, 85, 170, 255]]));
}

#[test]
fn alpha_and_animation_are_refused() {
    for (colour, data) in [(ColorType::Rgba, vec![0; 4]), (ColorType::GrayscaleAlpha, vec![0; 2])] {
        let file = png_of(colour, BitDepth::Eight, 1, 1, &data);
        let text = message(open("a.png", &file, None));
        assert_eq!(text, "PNG `a.png` has an alpha channel, which no format can hold");
    }
    let mut file = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut file, 1, 1);
    encoder.set_animated(2, 0).unwrap();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[1]).unwrap();
    writer.write_image_data(&[2]).unwrap();
    writer.finish().unwrap();
    let error = open("a.png", &file, None).err().unwrap();
    assert_eq!(error.to_string(), "PNG `a.png` is animated, which no format can hold");
    assert_eq!(
        error.hint().unwrap(),
        "ffmpeg -i a.png -frames:v 1 -pix_fmt gray plain.png"
    );
}

#[test]
fn a_truncated_image_is_an_error_wherever_it_ends() {
    let file = png_of(ColorType::Rgb, BitDepth::Eight, 16, 16, &[77; 768]);
    for length in 8..file.len() {
        assert!(
            open("a.png", &file[..length], None).is_err(),
            "{length} of {} bytes were enough",
            file.len()
        );
    }
    assert!(matches!(
        open("a.png", &file[..4], None),
        Err(ClipError::OtherContent { .. })
    ));
}

#[test]
fn a_size_that_the_file_cannot_fill_is_refused() {
    let mut file = png_of(ColorType::Rgb, BitDepth::Eight, 1, 1, &[1, 2, 3]);
    file[16..24].copy_from_slice(&[0, 0, 0x40, 0, 0, 0, 0x40, 0]);
    let checksum = crc32(&file[12..29]);
    file[29..33].copy_from_slice(&checksum.to_be_bytes());
    let error = open("a.png", &file, None).err().unwrap();
    assert!(matches!(error, ClipError::Truncated { .. }), "{error}");
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    })
}
