//! `ci/exact_twins.d/<kernel>.<lane>.toml`: a twin listed as exact on a lane.

use camino::Utf8PathBuf;
use serde::Deserialize;

/// A twin listed as exact on a lane: from then on it is held to equality there, whatever else is declared.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fragment {
    /// Name of the kernel, from the file's name.
    #[serde(skip)]
    pub kernel: String,
    /// Name of the lane, from the file's name.
    #[serde(skip)]
    pub lane: String,
    /// Name of the twin.
    pub twin: String,
    /// Numbers of the decision records under `docs/adr/` that establish the exactness, four digits each.
    pub adr: Vec<String>,
    /// The routes by which the reference's bits are reached, as the twin declares them.
    pub routes: Vec<String>,
    /// What was measured, in one line.
    pub evidence: String,
}

impl Fragment {
    /// The file, below the workspace root.
    pub fn path(&self) -> Utf8PathBuf {
        format!("{}/{}.{}.toml", super::FRAGMENTS, self.kernel, self.lane).into()
    }

    /// The source that reports show, such as `exact:0001`.
    pub fn label(&self) -> String {
        format!("exact:{}", self.adr.join("+"))
    }
}
