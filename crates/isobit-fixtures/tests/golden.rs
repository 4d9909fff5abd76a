//! The clips of the golden table, which an independent implementation of the formulas wrote, come out byte for byte.

use isobit::format::{Depth, Format, Layout};
use isobit::frame::Input;
use isobit_fixtures::{Fixture, named};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    fixture: String,
    width: u32,
    height: u32,
    depth: u32,
    layout: String,
    frames: usize,
    reference_sha256: String,
    distorted_sha256: String,
}

#[test]
fn every_golden_clip_is_reproduced() {
    let table: Vec<Row> = serde_json::from_str(include_str!("golden/fixtures.json")).unwrap();
    assert_eq!(table.len(), 36);
    for row in table {
        let layout: Layout = format!("yuv{}", row.layout).parse().unwrap();
        let depth: Depth = row.depth.to_string().parse().unwrap();
        let format = Format::new(layout, depth);
        let fixture = named(&row.fixture).unwrap();
        let shape = fixture.shape(format).unwrap();
        assert_eq!(
            (shape.width, shape.height, fixture.frames()),
            (row.width, row.height, row.frames)
        );

        let pair = fixture.input(format, 2).unwrap();
        let alone = |clip: usize| Fixture::digest(&Input::new(vec![pair.clips()[clip].clone()]).unwrap());
        assert_eq!(alone(0), row.reference_sha256, "reference of {} {format}", row.fixture);
        assert_eq!(alone(1), row.distorted_sha256, "distorted of {} {format}", row.fixture);
    }
}
