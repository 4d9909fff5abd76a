//! `ci/expectations.toml`: known deviations.

use serde::Deserialize;
use wildmatch::WildMatch;

use super::answers_to;
use crate::report::Status;

/// A known deviation. Every cell that it covers must show it; one that does not turns red, and so does an expectation
/// without any such cell.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// Name of the kernel.
    pub kernel: String,
    /// Name of the twin.
    pub twin: String,
    /// Formats, as a pattern with `*` and `?`.
    pub format: String,
    /// Fixtures, as a pattern with `*` and `?`.
    pub fixture: String,
    /// Name of the lane; its containers are meant too.
    pub lane: String,
    /// Drivers, as a pattern with `*` and `?` on the adapter's `driver` and `driver_info` with a space between; every
    /// driver where absent.
    pub driver: Option<String>,
    /// What such a cell must show.
    pub status: Expected,
    /// Why it is so.
    pub reason: String,
    /// Where it is tracked.
    pub link: String,
}

/// What a cell with a known deviation shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Expected {
    /// At least one element is outside its tolerance.
    Fail,
    /// Nothing trustworthy is compared.
    Error,
}

impl Expected {
    /// The state that is expected.
    pub const fn status(self) -> Status {
        match self {
            Self::Fail => Status::Fail,
            Self::Error => Status::Error,
        }
    }
}

impl Expectation {
    /// Whether it speaks of that cell, whatever the driver.
    pub fn covers(&self, kernel: &str, twin: &str, format: &str, fixture: &str, lane: &str) -> bool {
        let matches = |pattern: &str, text: &str| WildMatch::new(pattern).matches(text);
        self.kernel == kernel
            && self.twin == twin
            && answers_to(lane, &self.lane)
            && matches(&self.format, format)
            && matches(&self.fixture, fixture)
    }

    /// Where it applies, in words.
    pub fn scope(&self) -> String {
        let driver = self.driver.as_ref().map(|d| format!(" ({d})")).unwrap_or_default();
        format!(
            "{}/{} {} {} {}{driver}",
            self.kernel, self.twin, self.format, self.fixture, self.lane
        )
    }
}
