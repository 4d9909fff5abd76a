//! Programs of others that checks call: those on the search path where they are the right ones, or else provided below
//! `target/isobit/tools`, without root.

mod linters;
mod nix;
mod python;

use anyhow::{Context as _, Result};
use camino::{Utf8Path, Utf8PathBuf};

use crate::workspace::Workspace;

pub use linters::linters;
pub use nix::{Nix, nix};

/// The file that says what a folder was filled from.
const MARK: &str = "mark.txt";

/// Folders of provided programs.
struct Tools {
    folder: Utf8PathBuf,
    /// Held as long as folders may be filled: two calls at a time would fill the same one.
    _lock: fs_err::File,
}

impl Tools {
    fn open(workspace: &Workspace) -> Result<Self> {
        let folder = workspace.state()?.join("tools");
        fs_err::create_dir_all(&folder)?;
        let lock = fs_err::File::create(folder.join(".lock"))?;
        lock.file().lock().context("cannot lock the folder of tools")?;
        Ok(Self { folder, _lock: lock })
    }

    /// The folder of that name, where it was filled from `mark`; anew from `fill` otherwise. It is there whole or not at all,
    /// and `fill` must not write down where it will lie.
    fn folder(&self, name: &str, mark: &str, fill: impl FnOnce(&Utf8Path) -> Result<()>) -> Result<Utf8PathBuf> {
        let folder = self.folder.join(name);
        if fs_err::read_to_string(folder.join(MARK)).is_ok_and(|found| found == mark) {
            return Ok(folder);
        }
        let partial = tempfile::Builder::new().prefix(".partial-").tempdir_in(&self.folder)?;
        let path = Utf8Path::from_path(partial.path()).context("the target folder's path is not UTF-8")?;
        fill(path)?;
        fs_err::write(path.join(MARK), mark)?;
        if folder.exists() {
            // A rename cannot replace a folder that holds something.
            fs_err::remove_dir_all(&folder)?;
        }
        fs_err::rename(partial.keep(), &folder)?;
        Ok(folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_filled_once_for_each_mark_and_never_by_half() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
        let tools = Tools {
            _lock: fs_err::File::create(root.join(".lock")).unwrap(),
            folder: root.clone(),
        };
        let put = |text: &'static str| move |path: &Utf8Path| Ok(fs_err::write(path.join("a"), text)?);
        let folder = tools.folder("x", "1", put("one")).unwrap();
        tools.folder("x", "1", put("again")).unwrap();
        assert_eq!(fs_err::read_to_string(folder.join("a")).unwrap(), "one");
        let failed = tools.folder("x", "2", |_| anyhow::bail!("no network"));
        assert!(failed.is_err());
        assert_eq!(fs_err::read_to_string(folder.join("a")).unwrap(), "one");
        tools.folder("x", "2", put("two")).unwrap();
        assert_eq!(fs_err::read_to_string(folder.join("a")).unwrap(), "two");
        assert_eq!(root.read_dir_utf8().unwrap().count(), 2, "nothing is left behind");
    }
}
