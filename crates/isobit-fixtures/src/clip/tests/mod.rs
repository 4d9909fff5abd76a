//! Clips of every kind, sound and broken, from files and from memory.

use std::io::Cursor;
use std::path::Path;

use super::*;
use isobit::format::{Depth, Format, Layout};

mod any_bytes;
mod png_files;
mod raw_files;
mod y4m_files;

/// Reads bytes as if they lay in a regular file of that name.
fn open(name: &str, bytes: &[u8], raw: Option<RawFormat>) -> Result<ClipReader, ClipError> {
    let stream = Box::new(Cursor::new(bytes.to_vec()));
    ClipReader::from_reader(Path::new(name), stream, Some(bytes.len() as u64), raw)
}

fn frames(name: &str, bytes: &[u8], raw: Option<RawFormat>) -> Result<(ClipShape, Vec<Frame>), ClipError> {
    let mut reader = open(name, bytes, raw)?;
    let frames = reader.next_frames(usize::MAX)?;
    assert!(reader.next_frames(1)?.is_empty());
    Ok((reader.shape().clone(), frames))
}

fn y4m(header: &str, frames: &[&[u8]]) -> Vec<u8> {
    let mut bytes = format!("YUV4MPEG2 {header}\n").into_bytes();
    for frame in frames {
        bytes.extend(b"FRAME\n");
        bytes.extend(*frame);
    }
    bytes
}

fn message<T>(result: Result<T, ClipError>) -> String {
    result.err().map(|error| error.to_string()).unwrap_or_default()
}

fn mono(depth: Depth, width: u32, height: u32) -> Option<RawFormat> {
    let format = Format::new(Layout::Mono, depth);
    Some(RawFormat { format, width, height })
}

/// An image as a PNG, with samples as the file stores them.
fn png_of(colour: ::png::ColorType, depth: ::png::BitDepth, width: u32, height: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    if colour == ::png::ColorType::Indexed {
        encoder.set_palette(vec![10, 20, 30, 40, 50, 60]);
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    writer.finish().unwrap();
    bytes
}

#[test]
fn clips_are_read_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.y4m");
    std::fs::write(&path, y4m("W2 H1 Cmono", &[&[1, 2], &[3, 4], &[5, 6]])).unwrap();
    let mut reader = ClipReader::open(&path, None).unwrap();
    assert!(reader.next_frames(0).unwrap().is_empty());
    let lengths: Vec<usize> = (0..3).map(|_| reader.next_frames(2).unwrap().len()).collect();
    assert_eq!(lengths, [2, 1, 0]);

    let path = folder.path().join("a.gray");
    std::fs::write(&path, [1, 2, 3]).unwrap();
    assert!(matches!(
        ClipReader::open(&path, mono(Depth::U8, 2, 1)),
        Err(ClipError::Length { bytes: 3, .. })
    ));
}

#[test]
fn a_file_that_is_not_there_or_not_a_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.y4m");
    let text = message(ClipReader::open(&path, None));
    assert!(
        text.starts_with(&format!("cannot read clip `{}`: ", path.display())),
        "{text}"
    );
    let text = message(ClipReader::open(folder.path(), None));
    assert!(
        text.starts_with(&format!("cannot read clip `{}`: ", folder.path().display())),
        "{text}"
    );
}
