//! Whatever the bytes, a reader returns frames of its shape or an error.

use proptest::prelude::*;

use super::*;

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
