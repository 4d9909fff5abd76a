//! The `user` environment: a driver unpacked from the distribution's packages into a folder of ours, without root.

use anyhow::{Context as _, Result};
use camino::{Utf8Path, Utf8PathBuf};
use isobit_gate::args::Driver;

use super::apt::Apt;
use super::host::{Places, SWIFTSHADER_MANIFEST};
use super::icd::Icd;
use super::library::{self, LOADER, Search};
use super::receipt::{Package, Receipt, Stamp};
use super::{Name, say};
use crate::drift;
use crate::failure::Failure;
use crate::proc::Proc;

/// The package with SwiftShader on Debian.
const CHROMIUM: &str = "chromium-common";

/// The folder of a driver: `root/` with what was unpacked, `icd.json` and `receipt.toml`.
pub struct Folder(Utf8PathBuf);

impl Folder {
    /// The folder of `name` below Isobit's state folder.
    pub fn of(state: &Utf8Path, name: Name) -> Self {
        Self(state.join("drivers").join(name.as_str()))
    }

    /// The receipt's path.
    pub fn receipt(&self) -> Utf8PathBuf {
        self.0.join("receipt.toml")
    }

    /// The receipt, where everything that it names is still as it was.
    pub fn read(&self) -> Option<Receipt> {
        Receipt::read(&self.receipt())
            .filter(|receipt| receipt.driver.icd == self.0.join("icd.json") && receipt.holds())
    }
}

/// Where SwiftShader's library comes from.
enum Source {
    /// Everything from packages.
    Packages,
    /// The library of a browser that is installed; only the loader comes from a package.
    Browser(Icd),
}

/// Downloads and unpacks a driver. The folder is there whole or not at all.
///
/// # Errors
///
/// Returns an error where the system has no apt, the packages cannot be had, or the library would not load.
pub fn unpack(proc: &Proc, state: &Utf8Path, name: Name) -> Result<Receipt> {
    if !Apt::exists() {
        return Err(without_apt(name));
    }
    let folder = Folder::of(state, name).0;
    let parent = state.join("drivers");
    fs_err::create_dir_all(&parent)?;
    clear_leftovers(&parent, name)?;
    let search = Search::here(proc)?;
    let source = source(proc, &search, name)?;

    say(name, "fetching the lists of packages (no root needed)");
    let apt = Apt::open(proc, state.join("apt"))?;
    apt.update()?;
    let packages = packages(&apt, name, &source)?;
    let names: Vec<_> = packages.iter().map(ToString::to_string).collect();
    say(name, &format!("downloading {}", names.join(", ")));
    let archives = apt.fetch(&packages)?;

    let partial = tempfile::Builder::new()
        .prefix(&format!(".{}-", name.as_str()))
        .tempdir_in(&parent)?;
    let root = Utf8Path::from_path(partial.path())
        .context("the target folder's path is not UTF-8")?
        .join("root");
    fs_err::create_dir(&root)?;
    for (package, archive) in packages.iter().zip(&archives) {
        unpack_one(&apt, package, archive, &root)?;
    }
    let receipt = settle(proc, &search, name, source, packages, (&root, &folder))?;

    if folder.exists() {
        // A rename cannot replace a folder that holds something.
        fs_err::remove_dir_all(&folder)?;
    }
    fs_err::rename(partial.keep(), &folder)?;
    share(&folder)?;
    let receipt = Receipt {
        manifest: Stamp::take(&receipt.driver.icd)?,
        ..receipt
    };
    receipt.write(&Folder(folder).receipt())?;
    Ok(receipt)
}

fn source(proc: &Proc, search: &Search, name: Name) -> Result<Source> {
    if name == Name::Swiftshader {
        for icd in Places::here().candidates(name) {
            if let Ok(library) = library::inspect(proc, search, &icd.library, &[])? {
                return Ok(Source::Browser(Icd { library, ..icd }));
            }
        }
    }
    Ok(Source::Packages)
}

fn packages(apt: &Apt<'_>, name: Name, source: &Source) -> Result<Vec<Package>> {
    match (name, source) {
        (Name::Lavapipe, _) => apt.missing(&["mesa-vulkan-drivers", "libvulkan1"]),
        (Name::Swiftshader, Source::Browser(_)) => apt.missing(&["libvulkan1"]),
        (Name::Swiftshader, Source::Packages) => {
            let chromium = apt.newest(CHROMIUM)?.ok_or_else(without_chromium)?;
            let mut packages = apt.missing(&["libvulkan1"])?;
            packages.push(chromium);
            Ok(packages)
        }
    }
}

/// Unpacks one archive; of Chromium, only SwiftShader is kept.
fn unpack_one(apt: &Apt<'_>, package: &Package, archive: &Utf8Path, root: &Utf8Path) -> Result<()> {
    if package.name != CHROMIUM {
        return apt.unpack(archive, root);
    }
    let whole = tempfile::tempdir_in(root)?;
    let whole = Utf8Path::from_path(whole.path()).context("the target folder's path is not UTF-8")?;
    apt.unpack(archive, whole)?;
    // A folder of its own: Chromium's own loader beside it must not shadow the system's.
    let kept = root.join("usr/lib/swiftshader");
    fs_err::create_dir_all(&kept)?;
    for file in [Name::Swiftshader.library(), SWIFTSHADER_MANIFEST] {
        let found = find(whole, file)?.with_context(|| format!("`{archive}` holds no `{file}`"))?;
        fs_err::rename(found, kept.join(file))?;
    }
    Ok(())
}

/// Checks what was unpacked into `root`, writes the manifest, and describes it as it will be under `folder`.
fn settle(
    proc: &Proc,
    search: &Search,
    name: Name,
    source: Source,
    packages: Vec<Package>,
    (root, folder): (&Utf8Path, &Utf8Path),
) -> Result<Receipt> {
    let icd = match source {
        Source::Browser(icd) => {
            say(name, &format!("taking `{}` as installed", icd.library));
            icd
        }
        Source::Packages => unpacked(root, name)?,
    };
    let own_loader = find(root, LOADER)?;
    let loader = own_loader.clone().or_else(|| search.find(LOADER)).ok_or_else(|| {
        Failure::error(
            format!("the packages hold no `{LOADER}`, and none is installed"),
            "apt-get install libvulkan1",
        )
    })?;
    let libraries = folders(root, [Some(&icd.library), own_loader.as_ref()]);
    if let Err(reason) = library::inspect(proc, search, &icd.library, &libraries)? {
        let message = format!(
            "the driver `{}` from the distribution's packages does not load: {reason}",
            name.as_str()
        );
        return Err(Failure::error(message, "cargo xtask doctor"));
    }

    let moved = |path: &Utf8Path| match path.strip_prefix(root) {
        Ok(below) => folder.join("root").join(below),
        Err(_) => path.to_owned(),
    };
    let stamp = |path: &Utf8Path| {
        let stamp = Stamp::take(path)?;
        anyhow::Ok(Stamp {
            path: moved(path),
            ..stamp
        })
    };
    let manifest = root.with_file_name("icd.json");
    drift::write(&manifest, &Icd::render(&moved(&icd.library), &icd.api_version)?)?;
    Ok(Receipt {
        adapter: None,
        driver: Driver {
            name: name.as_str().to_owned(),
            environment: "user".to_owned(),
            icd: folder.join("icd.json"),
            libraries: libraries.iter().map(|path| moved(path)).collect(),
            container: None,
        },
        manifest: Stamp::take(&manifest)?,
        library: stamp(&icd.library)?,
        loader: stamp(&loader)?,
        packages,
    })
}

/// The driver's manifest among what was unpacked, its library as it lies there.
fn unpacked(root: &Utf8Path, name: Name) -> Result<Icd> {
    let absent = || {
        let message = format!("the distribution's packages hold no `{}`", name.library());
        Failure::error(
            message,
            format!(
                "install the driver, then `cargo xtask provision {} --env host`",
                name.as_str()
            ),
        )
    };
    let library = find(root, name.library())?.ok_or_else(absent)?;
    let mut manifests = Vec::new();
    walk(root, &mut |path| {
        if path.extension() == Some("json") {
            manifests.push(path.to_owned());
        }
    })?;
    let icds = manifests.iter().filter_map(|path| Icd::read(path).ok());
    let icd = icds
        .into_iter()
        .find(|icd| icd.library.file_name() == Some(name.library()))
        .ok_or_else(absent)?;
    Ok(Icd { library, ..icd })
}

/// The folders below `root` with libraries: those of the driver and the loader, with and without the merged `/usr`.
fn folders(root: &Utf8Path, files: [Option<&Utf8PathBuf>; 2]) -> Vec<Utf8PathBuf> {
    let mut folders: Vec<Utf8PathBuf> = Vec::new();
    let parents = files.into_iter().flatten().filter_map(|file| file.parent());
    for below in parents.filter_map(|parent| parent.strip_prefix(root).ok()) {
        let unmerged = below.strip_prefix("usr").unwrap_or(below);
        for folder in [root.join("usr").join(unmerged), root.join(unmerged)] {
            if folder.is_dir() && !folders.contains(&folder) {
                folders.push(folder);
            }
        }
    }
    folders
}

fn find(folder: &Utf8Path, name: &str) -> Result<Option<Utf8PathBuf>> {
    let mut found = None;
    walk(folder, &mut |path| {
        if path.file_name() == Some(name) {
            found = Some(path.to_owned());
        }
    })?;
    Ok(found)
}

/// Calls `visit` for everything below a folder that is no folder itself. Links are not followed.
fn walk(folder: &Utf8Path, visit: &mut dyn FnMut(&Utf8Path)) -> Result<()> {
    for entry in folder
        .read_dir_utf8()
        .with_context(|| format!("cannot list `{folder}`"))?
    {
        let entry = entry.with_context(|| format!("cannot list `{folder}`"))?;
        if entry.file_type()?.is_dir() {
            walk(entry.path(), visit)?;
        } else {
            visit(entry.path());
        }
    }
    Ok(())
}

/// Folders of calls that were interrupted.
fn clear_leftovers(parent: &Utf8Path, name: Name) -> Result<()> {
    let prefix = format!(".{}-", name.as_str());
    for entry in parent.read_dir_utf8()?.filter_map(Result::ok) {
        if entry.file_name().starts_with(&prefix) {
            fs_err::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

/// Temporary folders are private to their owner; a driver may be used by whoever may read the target folder.
fn share(folder: &Utf8Path) -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs_err::set_permissions(folder, std::fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

fn without_apt(name: Name) -> anyhow::Error {
    let packages = match name {
        Name::Lavapipe => {
            "Mesa's software Vulkan driver and the Vulkan loader (Fedora: `dnf install mesa-vulkan-drivers vulkan-loader`, Arch: `pacman -S vulkan-swrast vulkan-icd-loader`)"
        }
        Name::Swiftshader => {
            "a Chromium-family browser and the Vulkan loader (Fedora: `dnf install chromium vulkan-loader`, Arch: `pacman -S chromium vulkan-icd-loader`)"
        }
    };
    Failure::error(
        format!(
            "the driver `{}` is not installed, and this system has no apt to take it from",
            name.as_str()
        ),
        format!("install {packages}"),
    )
}

fn without_chromium() -> anyhow::Error {
    Failure::error(
        format!(
            "SwiftShader is not installed, and the system's package sources hold no `{CHROMIUM}` (Ubuntu ships Chromium as a snap)"
        ),
        "install Google Chrome, or Playwright's Chromium with `npx playwright install chromium`",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[&str]) -> (tempfile::TempDir, Utf8PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
        for file in files {
            fs_err::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs_err::write(root.join(file), "").unwrap();
        }
        (dir, root)
    }

    #[test]
    fn libraries_are_searched_with_and_without_the_merged_usr() {
        let (_dir, root) = tree(&[
            "usr/lib/a-linux-gnu/libvulkan.so.1",
            "lib/a-linux-gnu/libz.so.1",
            "usr/lib/swiftshader/x.so",
        ]);
        let loader = root.join("usr/lib/a-linux-gnu/libvulkan.so.1");
        let driver = root.join("usr/lib/swiftshader/x.so");
        let found = folders(&root, [Some(&driver), Some(&loader)]);
        let below = ["usr/lib/swiftshader", "usr/lib/a-linux-gnu", "lib/a-linux-gnu"];
        assert_eq!(found, below.map(|below| root.join(below)));
        let elsewhere = Utf8PathBuf::from("/opt/google/chrome/x.so");
        assert_eq!(
            folders(&root, [Some(&elsewhere), None]),
            [""; 0],
            "a browser's own folder is not searched"
        );
    }

    #[test]
    fn the_manifest_among_unpacked_files_is_that_of_the_driver() {
        let (_dir, root) = tree(&["usr/lib/a/libvulkan_lvp.so"]);
        let folder = root.join("usr/share/vulkan/icd.d");
        fs_err::create_dir_all(&folder).unwrap();
        let write = |name: &str, library: &str, version: &str| {
            fs_err::write(folder.join(name), Icd::render(Utf8Path::new(library), version).unwrap()).unwrap();
        };
        write("radeon_icd.json", "/usr/lib/a/libvulkan_radeon.so", "1.1.0");
        write("lvp_icd.json", "/usr/lib/a/libvulkan_lvp.so", "1.3.230");
        let icd = unpacked(&root, Name::Lavapipe).unwrap();
        assert_eq!(icd.library, root.join("usr/lib/a/libvulkan_lvp.so"));
        assert_eq!(icd.api_version, "1.3.230");
        assert!(
            unpacked(&root, Name::Swiftshader)
                .unwrap_err()
                .to_string()
                .contains("\nhint: ")
        );
    }

    #[test]
    fn what_an_interrupted_call_left_is_cleared_and_nothing_else() {
        let (_dir, parent) = tree(&[".lavapipe-x1/root/a", ".swiftshader-y/root/a", "lavapipe/receipt.toml"]);
        clear_leftovers(&parent, Name::Lavapipe).unwrap();
        assert!(!parent.join(".lavapipe-x1").exists());
        assert!(parent.join(".swiftshader-y").exists() && parent.join("lavapipe").exists());
    }
}
