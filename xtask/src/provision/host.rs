//! Finds drivers that are installed on this machine: the loader's manifest folders and Chromium-family browsers.
//! Looks at files only; nothing is loaded or started.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use wildmatch::WildMatch;

use super::Name;
use super::icd::Icd;

/// Folders in which browsers keep SwiftShader, relative to the root of the file system; `*` stays within a component.
const BROWSERS: [&str; 11] = [
    "usr/lib/chromium",
    "usr/lib/chromium-browser",
    "usr/lib64/chromium-browser",
    "opt/google/chrome*",
    "opt/chromium*",
    "opt/microsoft/msedge*",
    "opt/brave.com/brave*",
    "opt/vivaldi*",
    "snap/chromium/current/usr/lib/chromium-browser",
    "snap/brave/current/opt/brave.com/brave*",
    "var/lib/flatpak/app/*/current/active/files/*",
];

/// The manifest that browsers ship beside SwiftShader.
pub const SWIFTSHADER_MANIFEST: &str = "vk_swiftshader_icd.json";

/// Where to look: the file system's root and what the environment says.
#[derive(Clone, Debug)]
pub struct Places {
    /// `/`, or a tree of a test.
    pub root: Utf8PathBuf,
    /// The person's home.
    pub home: Option<Utf8PathBuf>,
    /// Environment variables.
    pub vars: BTreeMap<String, String>,
}

impl Places {
    /// This machine.
    pub fn here() -> Self {
        let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        let vars: BTreeMap<String, String> = std::env::vars_os().filter_map(text).collect();
        Self {
            root: "/".into(),
            home: vars.get("HOME").map(Utf8PathBuf::from),
            vars,
        }
    }

    fn var(&self, name: &str) -> Option<&str> {
        self.vars
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    fn at(&self, path: &str) -> Utf8PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    fn home(&self, below: &str) -> Option<Utf8PathBuf> {
        self.home.as_ref().map(|home| home.join(below))
    }

    /// The driver manifests that the person names in the environment.
    pub fn named(&self) -> Vec<Utf8PathBuf> {
        let list = self.var("VK_DRIVER_FILES").or_else(|| self.var("VK_ICD_FILENAMES"));
        let entries = list
            .into_iter()
            .flat_map(|list| list.split(':'))
            .filter(|entry| !entry.is_empty());
        let mut manifests = Vec::new();
        for entry in entries.map(Utf8PathBuf::from) {
            if entry.is_dir() {
                manifests.extend(listed(&entry));
            } else {
                manifests.push(entry);
            }
        }
        manifests
    }

    /// Every driver manifest, in the loader's order: those that are named, then those of the person, then the system's.
    pub fn manifests(&self) -> Vec<Utf8PathBuf> {
        let mut folders: Vec<Utf8PathBuf> = Vec::new();
        let person = |name: &str, default: &str| self.var(name).map(Utf8PathBuf::from).or_else(|| self.home(default));
        let system = |name: &str, default: &str| -> Vec<Utf8PathBuf> {
            match self.var(name) {
                Some(list) => list
                    .split(':')
                    .filter(|dir| !dir.is_empty())
                    .map(Utf8PathBuf::from)
                    .collect(),
                None => default.split(':').map(|dir| self.at(dir)).collect(),
            }
        };
        folders.extend(person("XDG_CONFIG_HOME", ".config"));
        folders.extend(system("XDG_CONFIG_DIRS", "/etc/xdg"));
        folders.push(self.at("/etc"));
        folders.extend(person("XDG_DATA_HOME", ".local/share"));
        folders.extend(system("XDG_DATA_DIRS", "/usr/local/share:/usr/share"));
        // The loader is built with these, so they count even where the variable leaves them out.
        folders.extend(["/usr/local/share", "/usr/share"].map(|dir| self.at(dir)));

        let mut manifests = self.named();
        for folder in folders {
            manifests.extend(listed(&folder.join("vulkan/icd.d")));
        }
        unique(manifests)
    }

    /// SwiftShader's manifests in installed browsers and in the caches of browser automation.
    pub fn browsers(&self) -> Vec<Utf8PathBuf> {
        let mut folders: Vec<Utf8PathBuf> = BROWSERS
            .iter()
            .flat_map(|pattern| expand(&self.root, pattern))
            .collect();
        if let Some(home) = &self.home {
            folders.extend(expand(home, ".local/share/flatpak/app/*/current/active/files/*"));
        }
        let playwright = self.var("PLAYWRIGHT_BROWSERS_PATH").map(Utf8PathBuf::from);
        for cache in playwright.into_iter().chain(self.home(".cache/ms-playwright")) {
            folders.extend(expand(&cache, "chromium*-*/chrome-*linux*"));
        }
        let puppeteer = self.var("PUPPETEER_CACHE_DIR").map(Utf8PathBuf::from);
        for cache in puppeteer.into_iter().chain(self.home(".cache/puppeteer")) {
            folders.extend(expand(&cache, "chrome*/*/chrome-*linux*"));
        }
        let manifests = folders.into_iter().map(|folder| folder.join(SWIFTSHADER_MANIFEST));
        unique(manifests.filter(|path| path.is_file()).collect())
    }

    /// The manifests of a driver among those that the person names in the environment.
    pub fn named_of(&self, name: Name) -> Vec<Icd> {
        let named = self.named();
        let icds = named.iter().filter_map(|path| Icd::read(path).ok());
        icds.filter(|icd| is_of(name, icd)).collect()
    }

    /// The installed manifests of a driver. One that cannot be read is left out: `doctor` names it.
    pub fn candidates(&self, name: Name) -> Vec<Icd> {
        let mut manifests = self.manifests();
        if name == Name::Swiftshader {
            manifests.extend(self.browsers());
        }
        let icds = manifests.iter().filter_map(|path| Icd::read(path).ok());
        icds.filter(|icd| is_of(name, icd)).collect()
    }
}

/// Whether a manifest is that of a driver: by the library, which no distribution renames, or by its own name.
fn is_of(name: Name, icd: &Icd) -> bool {
    let library = icd.library.file_name().unwrap_or_default();
    let manifest = icd.path.file_name().unwrap_or_default();
    library == name.library()
        || match name {
            Name::Lavapipe => manifest == "lvp_icd.json" || WildMatch::new("lvp_icd.*.json").matches(manifest),
            Name::Swiftshader => manifest == SWIFTSHADER_MANIFEST,
        }
}

/// The manifests in a folder, by name.
fn listed(folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let entries = folder.read_dir_utf8().into_iter().flatten().filter_map(Result::ok);
    let mut paths: Vec<_> = entries
        .map(|entry| entry.path().to_owned())
        .filter(|path| path.extension() == Some("json"))
        .collect();
    paths.sort();
    paths
}

/// The folders that a pattern names; `*` matches within one component. Newest names last, as caches number them.
fn expand(root: &Utf8Path, pattern: &str) -> Vec<Utf8PathBuf> {
    let mut found = vec![root.to_owned()];
    for part in pattern.split('/') {
        found = found
            .iter()
            .flat_map(|folder| {
                if !part.contains('*') {
                    return vec![folder.join(part)];
                }
                let matcher = WildMatch::new(part);
                let entries = folder.read_dir_utf8().into_iter().flatten().filter_map(Result::ok);
                let mut matches: Vec<_> = entries
                    .filter(|entry| matcher.matches(entry.file_name()))
                    .map(|entry| entry.path().to_owned())
                    .collect();
                matches.sort();
                matches
            })
            .collect();
    }
    found.retain(|folder| folder.is_dir());
    found
}

fn unique(paths: Vec<Utf8PathBuf>) -> Vec<Utf8PathBuf> {
    let mut kept: Vec<Utf8PathBuf> = Vec::new();
    for path in paths {
        if !kept.contains(&path) {
            kept.push(path);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Tree {
        _dir: tempfile::TempDir,
        places: Places,
    }

    impl Tree {
        fn new(files: &[(&str, &str)]) -> Self {
            let dir = tempfile::tempdir().unwrap();
            let root = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
            for (path, library) in files {
                let path = root.join(path);
                fs_err::create_dir_all(path.parent().unwrap()).unwrap();
                fs_err::write(&path, Icd::render(Utf8Path::new(library), "1.3.0").unwrap()).unwrap();
            }
            let places = Places {
                home: Some(root.join("home/me")),
                root,
                vars: BTreeMap::new(),
            };
            Self { _dir: dir, places }
        }

        fn found(&self, name: Name) -> Vec<String> {
            let icds = self.places.candidates(name).into_iter();
            icds.map(|icd| icd.path.strip_prefix(&self.places.root).unwrap().to_string())
                .collect()
        }
    }

    #[test]
    fn lavapipe_is_found_under_every_name_and_in_the_loaders_order() {
        let tree = Tree::new(&[
            ("usr/share/vulkan/icd.d/lvp_icd.riscv64.json", "libvulkan_lvp.so"),
            ("usr/share/vulkan/icd.d/radeon_icd.json", "libvulkan_radeon.so"),
            ("etc/vulkan/icd.d/lvp_icd.json", "/opt/mesa/libvulkan_lvp.so"),
            (
                "home/me/.local/share/vulkan/icd.d/mine.json",
                "/opt/mine/libvulkan_lvp.so",
            ),
        ]);
        assert_eq!(
            tree.found(Name::Lavapipe),
            [
                "etc/vulkan/icd.d/lvp_icd.json",
                "home/me/.local/share/vulkan/icd.d/mine.json",
                "usr/share/vulkan/icd.d/lvp_icd.riscv64.json",
            ]
        );
    }

    #[test]
    fn a_manifest_named_in_the_environment_comes_first_and_stays_one() {
        let mut tree = Tree::new(&[
            ("etc/vulkan/icd.d/lvp_icd.json", "/a/libvulkan_lvp.so"),
            ("usr/share/vulkan/icd.d/lvp_icd.json", "/b/libvulkan_lvp.so"),
        ]);
        let named = tree.places.root.join("usr/share/vulkan/icd.d/lvp_icd.json");
        tree.places
            .vars
            .insert("VK_ICD_FILENAMES".to_owned(), named.to_string());
        assert_eq!(
            tree.found(Name::Lavapipe),
            ["usr/share/vulkan/icd.d/lvp_icd.json", "etc/vulkan/icd.d/lvp_icd.json"]
        );
        tree.places
            .vars
            .insert("VK_DRIVER_FILES".to_owned(), "/nowhere.json".to_owned());
        assert_eq!(tree.places.named(), ["/nowhere.json"]);
    }

    #[test]
    fn swiftshader_is_found_in_browsers_and_automation_caches() {
        let library = "./libvk_swiftshader.so";
        let files = [
            "usr/lib/chromium/vk_swiftshader_icd.json",
            "opt/google/chrome-beta/vk_swiftshader_icd.json",
            "opt/brave.com/brave/vk_swiftshader_icd.json",
            "var/lib/flatpak/app/com.google.Chrome/current/active/files/extra/vk_swiftshader_icd.json",
            "home/me/.cache/ms-playwright/chromium-1200/chrome-linux64/vk_swiftshader_icd.json",
            "home/me/.cache/ms-playwright/chromium_headless_shell-1200/chrome-headless-shell-linux64/vk_swiftshader_icd.json",
            "home/me/.cache/puppeteer/chrome/linux-140.0.1/chrome-linux64/vk_swiftshader_icd.json",
        ];
        let tree = Tree::new(&files.map(|file| (file, library)));
        assert_eq!(tree.found(Name::Swiftshader), files);
        assert!(tree.found(Name::Lavapipe).is_empty());
    }

    #[test]
    fn a_broken_manifest_is_no_candidate() {
        let tree = Tree::new(&[]);
        let path = tree.places.root.join("usr/share/vulkan/icd.d/lvp_icd.json");
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(&path, "{").unwrap();
        assert!(tree.found(Name::Lavapipe).is_empty());
        assert_eq!(tree.places.manifests(), [path]);
    }
}
