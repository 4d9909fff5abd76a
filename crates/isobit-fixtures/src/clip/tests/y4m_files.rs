//! Y4M: every colour space, headers of every kind, and files that are broken.

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
