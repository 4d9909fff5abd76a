//! The hashes that the fixtures must have, kept in `pins.json`, one line a fixture and format.

use std::sync::LazyLock;

use isobit::format::Format;
use serde::{Deserialize, Serialize};

/// The hashes of one fixture in one format, as [`Fixture::digest`](crate::Fixture::digest) forms them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Name of the fixture.
    pub fixture: String,
    /// Layout and depth.
    pub format: Format,
    /// Of the reference clip alone.
    pub one: String,
    /// Of the reference clip and the distorted one.
    pub two: String,
}

/// Every pin, in the order of the file.
pub fn all() -> &'static [Pin] {
    &PINS
}

/// The hash that a fixture must have with `clips` clips; `None` where the fixture has none in the format.
pub fn pinned(name: &str, format: Format, clips: usize) -> Option<&'static str> {
    let pin = PINS.iter().find(|pin| pin.fixture == name && pin.format == format)?;
    match clips {
        1 => Some(&pin.one),
        2 => Some(&pin.two),
        _ => None,
    }
}

static PINS: LazyLock<Vec<Pin>> = LazyLock::new(parse);

#[expect(clippy::expect_used, reason = "the file is compiled in, and a test reads all of it")]
fn parse() -> Vec<Pin> {
    serde_json::from_str(include_str!("../pins.json")).expect("`pins.json` is a list of pins")
}
