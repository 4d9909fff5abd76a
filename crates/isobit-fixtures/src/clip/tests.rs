//! Clips of every kind, sound and broken, from files and from memory.

use std::io::Cursor;
use std::path::Path;

use isobit::format::{Depth, Format, Layout};
use proptest::prelude::*;

use super::*;

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

mod y4m_files {
    use super::*;

    #[test]
    fn every_colour_space_gives_its_format() {
        let expected = [
            ("420 420jpeg 420mpeg2 420paldv", "yuv420-8"),
            ("420p10", "yuv420-10"),
            ("420p12", "yuv420-12"),
            ("420p16", "yuv420-16"),
            ("422", "yuv422-8"),
            ("422p10", "yuv422-10"),
            ("422p12", "yuv422-12"),
            ("422p16", "yuv422-16"),
            ("444", "yuv444-8"),
            ("444p10", "yuv444-10"),
            ("444p12", "yuv444-12"),
            ("444p16", "yuv444-16"),
            ("mono", "mono-8"),
            ("mono10", "mono-10"),
            ("mono12", "mono-12"),
            ("mono16", "mono-16"),
        ];
        for (tags, format) in expected {
            let format: Format = format.parse().unwrap();
            let shape = ClipShape::tight(format, 5, 3);
            // Bytes that are codes of every depth, and differ from one to the next.
            let stored: Vec<u8> = (0..shape.frame_bytes())
                .map(|i| {
                    if format.depth.bytes() == 2 && i % 2 == 1 {
                        i as u8 % 4
                    } else {
                        i as u8
                    }
                })
                .collect();
            for tag in tags.split(' ') {
                let file = y4m(&format!("W5 H3 F25:1 Ip A1:1 C{tag}"), &[&stored, &stored]);
                let (found, frames) = frames("a.y4m", &file, None).unwrap();
                assert_eq!(found, shape, "C{tag}");
                assert_eq!(frames.len(), 2);
                let planes: Vec<u8> = frames[1]
                    .planes
                    .iter()
                    .flat_map(|plane| plane.bytes().to_vec())
                    .collect();
                assert_eq!(planes, stored, "C{tag}");
            }
        }
    }

    #[test]
    fn no_colour_space_is_420_unless_the_older_extension_names_one() {
        let file = |header| y4m(header, &[]);
        let format = |header| open("a.y4m", &file(header), None).unwrap().shape().format.to_string();
        assert_eq!(format("W2 H2"), "yuv420-8");
        assert_eq!(format("W2 H2 XYSCSS=420JPEG"), "yuv420-8");
        assert_eq!(format("W2 H2 XYSCSS=444"), "yuv444-8");
        assert_eq!(format("W2 H2 XYSCSS=422P10"), "yuv422-10");
        assert_eq!(format("W2 H2 C444 XYSCSS=420JPEG"), "yuv444-8");
    }

    #[test]
    fn an_independent_writer_is_understood() {
        let mut file = Vec::new();
        let ratio = ::y4m::Ratio::new(25, 1);
        let range = ::y4m::VendorExtensionString::new(b"COLORRANGE=FULL".to_vec()).unwrap();
        let mut encoder = ::y4m::encode(3, 3, ratio)
            .with_colorspace(::y4m::Colorspace::C420p12)
            .append_vendor_extension(range)
            .write_header(&mut file)
            .unwrap();
        let (y, c) = ([7, 1].repeat(9), [9, 2].repeat(4));
        encoder
            .write_frame(&::y4m::Frame::new([&y, &c, &c], Some(b"Ippp".to_vec())))
            .unwrap();
        let (shape, frames) = frames("a.y4m", &file, None).unwrap();
        assert_eq!(shape, ClipShape::tight(Format::new(Layout::Yuv420, Depth::U12), 3, 3));
        assert_eq!(frames[0].planes[0].bytes(), y);
        assert_eq!(frames[0].planes[2].bytes(), c);
    }

    #[test]
    fn long_headers_unknown_and_frame_parameters_are_passed_over() {
        let long = "X".to_owned() + &"COLORRANGE=FULL;".repeat(4000);
        for header in [
            format!("W1 H1 Cmono {long}"),
            format!("{long} {long} H1 F30000:1001 It A0:0 Cmono XCOLORRANGE=LIMITED W1"),
            "W1  H1 Im Qunknown Cmono Ib".to_owned(),
        ] {
            let mut file = y4m(&header, &[&[5]]);
            file.extend(b"FRAME Ip XVALUE=\xff\xfe\n\x06FRAME \n\x07");
            let (_, frames) = frames("a.y4m", &file, None).unwrap();
            let samples: Vec<u8> = frames.iter().map(|frame| frame.planes[0].bytes()[0]).collect();
            assert_eq!(samples, [5, 6, 7]);
        }
    }

    #[test]
    fn content_counts_more_than_the_name() {
        let file = y4m("W1 H1 Cmono", &[&[5]]);
        assert_eq!(frames("a.yuv", &file, mono(Depth::U8, 3, 1)).unwrap().1.len(), 1);
        let text = message(open("a.Y4M", b"YUV4MPEG", None));
        assert_eq!(text, "clip `a.Y4M` is not Y4M: its first bytes are different");
    }

    #[test]
    fn a_file_that_ends_within_a_frame_says_how_much_is_missing() {
        let whole = y4m("W4 H2 C420", &[&[1; 12], &[2; 12]]);
        for cut in 1..=17 {
            let text = message(frames("cut.y4m", &whole[..whole.len() - cut], None));
            let missing = cut.min(12);
            let expected = format!("clip `cut.y4m` ends within frame 1: {missing} of its 12 bytes are missing");
            assert_eq!(text, expected, "{cut} bytes cut off");
        }
        assert_eq!(frames("a.y4m", &whole[..whole.len() - 18], None).unwrap().1.len(), 1);
        let error = frames("my clip.y4m", &whole[..whole.len() - 1], None).unwrap_err();
        assert_eq!(
            error.hint().unwrap(),
            "ffmpeg -i 'my clip.y4m' -frames:v 1 -strict -1 whole.y4m"
        );
    }

    #[test]
    fn a_broken_clip_stays_broken() {
        let file = y4m("W1 H1 Cmono", &[&[1], &[]]);
        let mut reader = open("a.y4m", &file, None).unwrap();
        assert_eq!(reader.next_frames(1).unwrap().len(), 1);
        assert!(matches!(
            reader.next_frames(1),
            Err(ClipError::Truncated { frame: 1, .. })
        ));
        assert!(matches!(reader.next_frames(1), Err(ClipError::AfterError { .. })));
    }

    #[test]
    fn what_is_not_a_frame_is_named() {
        let mut file = y4m("W1 H1 Cmono", &[&[1]]);
        file.extend(b"\x02FRAME\n\x03");
        let text = message(frames("a.y4m", &file, None));
        assert_eq!(text, r"clip `a.y4m` has no `FRAME` before frame 1, but `\x02FRAME`");
        let file = [y4m("W1 H1 Cmono", &[]), b"FRAMES\n\x01".to_vec()].concat();
        assert!(matches!(
            frames("a.y4m", &file, None),
            Err(ClipError::Marker { frame: 0, .. })
        ));
    }

    #[test]
    fn a_clip_without_frames_is_an_error() {
        assert_eq!(
            message(frames("a.y4m", &y4m("W1 H1", &[]), None)),
            "clip `a.y4m` has no frames"
        );
    }

    #[test]
    fn wrong_headers_are_refused() {
        let header = |header: &str| message(open("a.y4m", &y4m(header, &[]), None));
        let prefix = "cannot read the Y4M header of clip `a.y4m`: ";
        assert_eq!(header("H1"), format!("{prefix}it has no parameter `W`"));
        assert_eq!(header("W1"), format!("{prefix}it has no parameter `H`"));
        for side in ["", "-1", "+1", "1.5", "0x10", "99999999999999999999"] {
            let expected = format!("{prefix}parameter `W{side}` is not a whole number below 2^32");
            assert_eq!(header(&format!("W{side} H1")), expected);
        }
        assert!(message(open("a.y4m", b"YUV4MPEG2 W1 H1", None)).ends_with("the file ends before its line does"));
        let endless = [b"YUV4MPEG2 ".to_vec(), vec![b'X'; 2 << 20]].concat();
        assert!(message(open("a.y4m", &endless, None)).ends_with("its line is longer than 1048576 bytes"));
    }

    #[test]
    fn unknown_colour_spaces_list_the_known_ones() {
        for tag in ["411", "420p9", "420p14", "444alpha", "mono9", "420P10", ""] {
            let error = open("a.y4m", &y4m(&format!("W1 H1 C{tag}"), &[]), None).err().unwrap();
            let text = error.to_string();
            assert!(
                text.starts_with(&format!("clip `a.y4m` has the unknown Y4M colour space `C{tag}`: ")),
                "{text}"
            );
            assert!(
                text.contains("`C420paldv`") && text.contains("`C444p16`") && text.contains("`Cmono10`"),
                "{text}"
            );
            assert!(error.hint().is_some());
        }
    }

    #[test]
    fn absurd_sizes_are_refused_before_memory_is_set_aside() {
        for (width, height) in [
            (0, 1),
            (1, 0),
            (u32::MAX, 1),
            (1, u32::MAX),
            (u32::MAX, u32::MAX),
            (65_536, 65_536),
        ] {
            let file = y4m(&format!("W{width} H{height} C444p16"), &[]);
            let error = open("a.y4m", &file, None).err().unwrap();
            assert!(matches!(error, ClipError::Size { .. }), "{error}");
        }
        // The largest frame there is, of which the file holds a single byte.
        let file = y4m("W65536 H16384 Cmono", &[&[1]]);
        assert!(matches!(frames("a.y4m", &file, None), Err(ClipError::Truncated { .. })));
    }

    #[test]
    fn a_code_beyond_its_depth_is_named() {
        let mut samples = vec![0; 24];
        samples[16 + 2..][..2].copy_from_slice(&4000_u16.to_le_bytes());
        let file = y4m("W4 H2 C420p10", &[&[0; 24], &samples]);
        assert_eq!(
            message(frames("a.y4m", &file, None)),
            "clip `a.y4m` has the code 4000 in frame 1, plane cb, x 1, y 0: the largest of 10 bits is 1023"
        );
        let file = y4m("W4 H2 C420p12", &[&[0; 24], &samples]);
        assert_eq!(frames("a.y4m", &file, None).unwrap().1.len(), 2);
    }
}

mod raw_files {
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
}

mod png_files {
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
}

mod files {
    use super::*;

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
}

/// Reads all there is, in small steps; whatever the bytes, this must come back.
fn exhaust(name: &str, bytes: &[u8], raw: Option<RawFormat>) {
    let Ok(mut reader) = open(name, bytes, raw) else { return };
    let shape = reader.shape().clone();
    while let Ok(frames) = reader.next_frames(2) {
        if frames.is_empty() {
            return;
        }
        for frame in frames {
            let shapes: Vec<_> = frame.planes.iter().map(|plane| plane.shape()).collect();
            assert_eq!(shapes, shape.planes);
        }
    }
    assert!(matches!(reader.next_frames(1), Err(ClipError::AfterError { .. })));
}

fn mutated(mut bytes: Vec<u8>, edits: &[(prop::sample::Index, u8)], cut: prop::sample::Index) -> Vec<u8> {
    for (at, value) in edits {
        let at = at.index(bytes.len());
        bytes[at] = *value;
    }
    bytes.truncate(cut.index(bytes.len() + 1));
    bytes
}

proptest! {
    #[test]
    fn mutated_y4m_never_panics(
        edits in prop::collection::vec(any::<(prop::sample::Index, u8)>(), 0..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let file = y4m("W5 H3 F25:1 C422p10 XCOLORRANGE=FULL", &[&[1; 66], &[2; 66]]);
        exhaust("a.y4m", &mutated(file, &edits, cut), None);
    }

    #[test]
    fn any_y4m_header_is_read_or_refused(header in "[WHCX0-9 a-z]{0,24}( W[0-9]{0,11})?( H[0-9]{0,11})?( C[0-9a-z]{0,8})?") {
        exhaust("a.y4m", &y4m(&header, &[&[0; 64]]), None);
    }

    #[test]
    fn mutated_png_never_panics(
        edits in prop::collection::vec(any::<(prop::sample::Index, u8)>(), 0..4),
        cut in any::<prop::sample::Index>(),
        colour in prop::sample::select(vec![::png::ColorType::Grayscale, ::png::ColorType::Rgb]),
    ) {
        let file = png_of(colour, ::png::BitDepth::Sixteen, 8, 8, &vec![3; 128 * colour.samples()]);
        exhaust("a.png", &mutated(file, &edits, cut), None);
    }

    #[test]
    fn any_raw_file_is_whole_or_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        (layout, depth) in (prop::sample::select(&Layout::ALL[..]), prop::sample::select(&Depth::ALL[..])),
        (width, height) in (0_u32..9, 0_u32..9),
    ) {
        let raw = Some(RawFormat { format: Format::new(layout, depth), width, height });
        exhaust("a.raw", &bytes, raw);
        if let Ok((shape, frames)) = frames("a.raw", &bytes, raw) {
            prop_assert_eq!(frames.len() * shape.frame_bytes(), bytes.len());
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(
        start in prop::sample::select(vec![&b""[..], b"YUV4MPEG2 ", b"YUV4MPEG2 W1 H1 Cmono\nFRAME", b"\x89PNG\r\n\x1a\n"]),
        bytes in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        exhaust("a", &[start, &bytes].concat(), mono(Depth::U10, 1, 1));
    }
}
