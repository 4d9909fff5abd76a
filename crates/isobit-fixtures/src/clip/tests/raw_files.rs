//! Raw files, which say nothing about themselves, and the sizes that are given for them.

use super::*;

#[test]
fn frames_follow_each_other() {
    let format = Format::new(Layout::Yuv420, Depth::U8);
    let raw = Some(RawFormat {
        format,
        width: 3,
        height: 3,
    });
    let bytes: Vec<u8> = (0..34).collect();
    let (shape, frames) = frames("a.yuv", &bytes, raw).unwrap();
    assert_eq!(shape, ClipShape::tight(format, 3, 3));
    assert_eq!(frames.len(), 2);
    assert_eq!(frames[1].planes[2].bytes(), &bytes[30..]);
}

#[test]
fn floats_keep_their_bits() {
    let bits = [0x7fc1_2345_u32, 0x8000_0000, 1, 0x7f80_0001];
    let bytes: Vec<u8> = bits.iter().flat_map(|bits| bits.to_le_bytes()).collect();
    let (_, frames) = frames("a.bin", &bytes, mono(Depth::F32, 2, 2)).unwrap();
    assert_eq!(frames[0].planes[0].bytes(), bytes);
}

#[test]
fn a_length_that_is_no_whole_number_of_frames_is_refused() {
    let error = open("a.yuv", &[0; 13], mono(Depth::U8, 2, 2)).err().unwrap();
    assert_eq!(
        error.to_string(),
        "clip `a.yuv` has 13 bytes, which is not a whole number of frames: one of mono-8 at 2x2 takes 4"
    );
    assert_eq!(error.hint().unwrap(), "no format divides it at 2x2: check --size");
    let error = open("a.yuv", &[0; 24], mono(Depth::F32, 2, 2)).err().unwrap();
    let hint = error.hint().unwrap();
    assert!(
        hint.starts_with("at 2x2 it fits --format `yuv420-8`, `yuv420-10`, "),
        "{hint}"
    );
    assert!(matches!(
        open("a.yuv", &[], mono(Depth::U8, 2, 2)),
        Err(ClipError::NoFrames { .. })
    ));
}

#[test]
fn a_pipe_that_ends_within_a_frame_is_truncated() {
    let stream = Box::new(Cursor::new(vec![0; 7]));
    let mut reader = ClipReader::from_reader(Path::new("-"), stream, None, mono(Depth::U8, 2, 2)).unwrap();
    assert_eq!(reader.next_frames(1).unwrap().len(), 1);
    assert!(matches!(
        reader.next_frames(9),
        Err(ClipError::Truncated { missing: 1, .. })
    ));
}

#[test]
fn a_raw_file_needs_its_format() {
    let error = open("it's.yuv", &[0; 4], None).err().unwrap();
    assert!(matches!(error, ClipError::FormatMissing { .. }));
    let hint = error.hint().unwrap();
    assert_eq!(
        hint,
        r"cargo xtask parity --clip 'it'\''s.yuv' --size 1920x1080 --format yuv420-8"
    );
    assert!(matches!(
        open("a.yuv", &[0; 4], mono(Depth::U8, 0, 1)),
        Err(ClipError::Size { .. })
    ));
}

#[test]
fn sizes_are_two_numbers() {
    assert_eq!(parse_size("1920x1080").unwrap(), (1920, 1080));
    assert_eq!(parse_size("1X1").unwrap(), (1, 1));
    for text in [
        "",
        "x",
        "1920",
        "1920x",
        "x1080",
        "0x5",
        "5x0",
        "-1x5",
        "+1x5",
        "1x2x3",
        " 1x2",
        "1x4294967296",
    ] {
        assert_eq!(
            message(parse_size(text)),
            format!("`{text}` is not a size: expected width and height in samples, such as `1920x1080`")
        );
    }
}
