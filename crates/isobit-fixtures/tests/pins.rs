//! Every fixture in every format equals its pin, and there is a pin for each and no other.

#![expect(clippy::unwrap_used, reason = "a fixture without its declared input is a failure")]

use std::collections::BTreeSet;

use isobit::format::Layout;
use isobit::frame::Input;
use isobit_fixtures::{Fixture, all, pinned, pins};

fn equals_pins(layout: Layout, grid: Option<&str>) {
    let mut differing = Vec::new();
    for fixture in all().iter().filter(|fixture| fixture.grid() == grid) {
        for format in fixture.formats().filter(|format| format.layout == layout) {
            let two = fixture.input(format, 2).unwrap();
            let one = Input::new(vec![two.clips()[0].clone()]).unwrap();
            for (clips, input) in [(1, one), (2, two)] {
                if pinned(fixture.name, format, clips) != Some(&Fixture::digest(&input)) {
                    differing.push(format!("{} {format} with {clips} clips", fixture.name));
                }
            }
        }
    }
    assert!(
        differing.is_empty(),
        "not as pinned: {}\nhint: cargo run --release -p isobit-fixtures --example pin",
        differing.join(", ")
    );
}

#[test]
fn yuv420_equals_its_pins() {
    equals_pins(Layout::Yuv420, None);
}

#[test]
fn yuv422_equals_its_pins() {
    equals_pins(Layout::Yuv422, None);
}

#[test]
fn yuv444_equals_its_pins() {
    equals_pins(Layout::Yuv444, None);
}

#[test]
fn the_8k_grid_equals_its_pins() {
    equals_pins(Layout::Yuv444, Some("8k"));
}

#[test]
fn rgb_equals_its_pins() {
    equals_pins(Layout::Rgb, None);
}

#[test]
fn mono_equals_its_pins() {
    equals_pins(Layout::Mono, None);
}

#[test]
fn colour_filter_samples_equal_their_pins() {
    equals_pins(Layout::Bayer, None);
}

#[test]
fn there_is_exactly_one_pin_for_each_fixture_and_format() {
    let expected: Vec<_> = (all().iter())
        .flat_map(|fixture| fixture.formats().map(|format| (fixture.name.to_owned(), format)))
        .collect();
    let listed: Vec<_> = pins::all()
        .iter()
        .map(|pin| (pin.fixture.clone(), pin.format))
        .collect();
    let unique: BTreeSet<_> = listed.iter().cloned().collect();
    assert_eq!(unique.len(), listed.len(), "a fixture is pinned twice in one format");
    assert_eq!(unique, expected.into_iter().collect::<BTreeSet<_>>());
}
