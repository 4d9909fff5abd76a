//! Images: built where they are missing or made of something else, labelled with what they hold, and named only when whole.

use anyhow::{Context as _, Result};
use camino::{Utf8Path, Utf8PathBuf};
use isobit_gate::args::Image;
use isobit_gate::config::Release;
use sha2::{Digest as _, Sha256};
use xshell::Cmd;

use super::engine::Known;
use super::{Workshop, trouble};
use crate::elf::{self, Glibc};
use crate::failure::Failure;
use crate::proc::Ended;

/// The folder of Dockerfiles, which is also the context of every build.
const FOLDER: &str = "docker";
/// The script that every Dockerfile calls.
const SCRIPT: &str = "docker/install.sh";
/// Where an image lists its packages.
const PACKAGES: &str = "/usr/share/isobit/packages";
/// What an image was made of, as a hash.
const INPUTS_LABEL: &str = "isobit.inputs";
/// What an image begins with.
const BASE_LABEL: &str = "isobit.base";
/// The packages of an image, a space between them.
const PACKAGES_LABEL: &str = "isobit.packages";
/// Variables by which programs reach a network behind a proxy; engines hand them on without writing them down.
const PROXIES: [&str; 8] = [
    "HTTP_PROXY",
    "http_proxy",
    "HTTPS_PROXY",
    "https_proxy",
    "NO_PROXY",
    "no_proxy",
    "ALL_PROXY",
    "all_proxy",
];

/// How packages are reached from within a build, and more that the person wants to hand to the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Lines for `sources.list` that replace those of the base.
    sources: Option<String>,
    /// Certificates in PEM form.
    ca: Option<String>,
    /// Words of the engine's `build`.
    words: Vec<String>,
}

impl Settings {
    /// Reads the files that `ISOBIT_APT_SOURCES` and `ISOBIT_APT_CA` name.
    pub fn read() -> Result<Self> {
        let file = |variable: &str| -> Result<Option<String>> {
            let path = std::env::var(variable).ok().filter(|path| !path.is_empty());
            let read = |path: String| fs_err::read_to_string(path).with_context(|| format!("cannot use `{variable}`"));
            path.map(read).transpose()
        };
        let words = std::env::var("ISOBIT_BUILD_ARGS").unwrap_or_default();
        Ok(Self {
            sources: file("ISOBIT_APT_SOURCES")?,
            ca: file("ISOBIT_APT_CA")?,
            words: words.split_whitespace().map(str::to_owned).collect(),
        })
    }

    fn apply<'a>(&self, mut command: Cmd<'a>) -> Cmd<'a> {
        let files = [("APT_SOURCES", &self.sources), ("APT_CA", &self.ca)];
        for (name, text) in files
            .into_iter()
            .filter_map(|(name, text)| Some((name, text.as_ref()?)))
        {
            command = command.env(name, text).args(["--build-arg", name]);
        }
        for name in PROXIES.into_iter().filter(|name| std::env::var_os(name).is_some()) {
            command = command.args(["--build-arg", name]);
        }
        command.args(&self.words)
    }
}

/// An image that is to be had.
pub struct Recipe<'a> {
    /// `lavapipe`, `swiftshader` or `builder`.
    pub what: &'a str,
    /// The release that it is made of.
    pub release: &'a Release,
}

impl Recipe<'_> {
    /// The name and tag of the image.
    pub fn name(&self) -> String {
        format!("isobit/{}:{}", self.what, self.release.name)
    }

    fn file(&self) -> Utf8PathBuf {
        format!("{FOLDER}/{}.Dockerfile", self.what).into()
    }

    fn version(&self) -> &str {
        self.release.versions.get(self.what).map_or("*", String::as_str)
    }

    /// The hash of all that goes in, the base excepted: a base that is fetched again does not make an image stale.
    fn inputs(&self, root: &Utf8Path, settings: &Settings) -> Result<String> {
        let mut hash = Sha256::new();
        let file = fs_err::read_to_string(root.join(self.file()))?;
        let script = fs_err::read_to_string(root.join(SCRIPT))?;
        for part in [file.as_str(), script.as_str(), self.version()] {
            hash.update(format!("{}\n{part}\n", part.len()));
        }
        hash.update(format!("{:?}\n{:?}\n", settings.sources, settings.ca));
        Ok(format!("{:x}", hash.finalize()))
    }
}

/// An image that is there.
#[derive(Clone, Debug)]
pub struct Ready {
    /// What reports show of it.
    pub image: Image,
    /// The architecture that it is made for, as Go names it.
    pub architecture: String,
}

impl Ready {
    fn of(name: String, known: &Known) -> Option<Self> {
        let packages = known
            .labels
            .get(PACKAGES_LABEL)
            .filter(|packages| !packages.is_empty())?;
        Some(Self {
            image: Image {
                name,
                id: known.id.clone(),
                packages: packages.split(' ').map(str::to_owned).collect(),
            },
            architecture: known.architecture.clone(),
        })
    }

    /// The version of its C library.
    pub fn glibc(&self) -> Option<Glibc> {
        let version = self
            .image
            .packages
            .iter()
            .find_map(|package| package.strip_prefix("libc6="))?;
        elf::parse_glibc(version.split('-').next()?)
    }
}

impl Workshop<'_> {
    /// The image of a recipe as it is, where it is what the recipe makes.
    pub fn existing(&self, recipe: &Recipe<'_>) -> Result<Option<Ready>> {
        let name = recipe.name();
        let Some(known) = self.engine.image(&name)? else {
            return Ok(None);
        };
        let label = |label: &str| known.labels.get(label).map_or("", String::as_str);
        let same = label(INPUTS_LABEL) == recipe.inputs(&self.workspace.root, &self.settings)?
            && self.base.accepts(label(BASE_LABEL), recipe.release);
        Ok(if same { Ready::of(name, &known) } else { None })
    }

    /// The image of a recipe, built where it is missing or made of something else.
    pub fn provide(&self, recipe: &Recipe<'_>) -> Result<Ready> {
        if let Some(ready) = self.existing(recipe)? {
            return Ok(ready);
        }
        let name = recipe.name();
        let log = self.log(&format!("{}-{}", recipe.what, recipe.release.name));
        let base = self.base.provide(self.proc, &self.engine, recipe.release, &log)?;
        anstream::eprintln!("containers: building `{name}` on `{base}`, log in `{log}`");
        let replaced = self.engine.image(&name)?;
        // Nothing has the image's own name before it is whole.
        let unlabelled = format!("{name}-unlabelled");
        let built = self
            .build(recipe, &base, &unlabelled, &log)
            .and_then(|()| self.label(&unlabelled, &name));
        self.engine.forget(&unlabelled)?;
        built?;
        let known = self.engine.image(&name)?;
        let ready = known.as_ref().and_then(|known| Ready::of(name.clone(), known));
        if let Some(old) = replaced.filter(|old| known.is_none_or(|known| known.id != old.id)) {
            self.engine.forget(&old.id)?;
        }
        ready.ok_or_else(|| {
            Failure::error(
                format!(
                    "`{}` built the image `{name}` and does not have it",
                    self.engine.program
                ),
                format!("less {log}"),
            )
        })
    }

    fn build(&self, recipe: &Recipe<'_>, base: &str, tag: &str, log: &Utf8Path) -> Result<()> {
        let inputs = recipe.inputs(&self.workspace.root, &self.settings)?;
        let command = self
            .build_command()
            .args(["--file", recipe.file().as_str(), "--tag", tag])
            .args(["--build-arg", &format!("BASE={base}")])
            .args(["--label", &format!("{INPUTS_LABEL}={inputs}")])
            .args(["--label", &format!("{BASE_LABEL}={base}")]);
        let command = match recipe.release.versions.get(recipe.what) {
            Some(version) => command.args(["--build-arg", &format!("VERSION={version}")]),
            None => command,
        };
        let what = format!("cannot build the image `{}`", recipe.name());
        self.logged(self.settings.apply(command).arg(FOLDER), log, &what)
    }

    /// Gives `unlabelled` its name and a label with what it lists as its packages.
    fn label(&self, unlabelled: &str, name: &str) -> Result<()> {
        let command = self.engine.cmd().args(["run", "--rm", "--network=none", unlabelled]);
        let listed = self.engine.read(command.args(["cat", PACKAGES]))?;
        let packages: Vec<&str> = listed.lines().collect();
        let label = format!("{PACKAGES_LABEL}={}", packages.join(" "));
        self.layer(unlabelled, "", None, name, &["--label", &label])
    }

    /// Builds `name` from `base` with one more line, whose context holds the file `parity` where `program` names one.
    pub fn layer(&self, base: &str, line: &str, program: Option<&Utf8Path>, name: &str, words: &[&str]) -> Result<()> {
        let context = tempfile::tempdir_in(&self.folder).context("cannot make a folder to build in")?;
        let folder = Utf8Path::from_path(context.path()).context("the target folder's path is not UTF-8")?;
        fs_err::write(folder.join("Dockerfile"), format!("FROM {base}\n{line}\n"))?;
        if let Some(program) = program {
            let copy = folder.join("parity");
            fs_err::copy(program, &copy)?;
            executable_by_all(&copy)?;
        }
        let command = self.build_command().args(["--tag", name]).args(words);
        let log = self.log("layer");
        self.logged(command.arg(folder), &log, &format!("cannot build the image `{name}`"))
    }

    /// Engines with several builders are asked for the one whose images they can run.
    fn build_command(&self) -> Cmd<'_> {
        let command = self.engine.cmd().args(["build", "--force-rm"]);
        command
            .env("BUILDX_BUILDER", "default")
            .env("BUILDKIT_PROGRESS", "plain")
    }

    /// Runs a command of the engine that may take long.
    pub fn logged(&self, command: Cmd<'_>, log: &Utf8Path, what: &str) -> Result<()> {
        match self.proc.logged(command, log)? {
            Ended::Well => Ok(()),
            Ended::Badly => {
                let text = String::from_utf8_lossy(&fs_err::read(log)?).into_owned();
                Err(trouble::failed(what, &text, log, &self.engine.program))
            }
            Ended::Interrupted => Err(trouble::interrupted(what)),
        }
    }
}

/// Inside a container the runner is started by a user that owns nothing.
fn executable_by_all(path: &Utf8Path) -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs_err::set_permissions(path, std::fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release(version: &str) -> Release {
        Release {
            name: "trixie".to_owned(),
            image: "debian:trixie-slim".to_owned(),
            versions: [("lavapipe".to_owned(), version.to_owned())].into(),
        }
    }

    fn root() -> &'static Utf8Path {
        Utf8Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
    }

    #[test]
    fn an_image_is_stale_when_what_it_is_made_of_changes() {
        let inputs = |version: &str, settings: &Settings| {
            let release = release(version);
            let recipe = Recipe {
                what: "lavapipe",
                release: &release,
            };
            recipe.inputs(root(), settings).unwrap()
        };
        let plain = Settings::default();
        assert_eq!(inputs("25.0.*", &plain), inputs("25.0.*", &plain));
        assert_ne!(inputs("25.0.*", &plain), inputs("26.0.*", &plain));
        let mirror = Settings {
            sources: Some("deb mirror trixie main".to_owned()),
            ..plain.clone()
        };
        assert_ne!(inputs("25.0.*", &plain), inputs("25.0.*", &mirror));
        let words = Settings {
            words: vec!["--network=host".to_owned()],
            ..plain.clone()
        };
        assert_eq!(
            inputs("25.0.*", &plain),
            inputs("25.0.*", &words),
            "how it is reached is no part of it"
        );
    }

    #[test]
    fn every_recipe_has_its_file() {
        let release = release("*");
        for what in ["lavapipe", "swiftshader", "builder"] {
            let recipe = Recipe {
                what,
                release: &release,
            };
            let text = fs_err::read_to_string(root().join(recipe.file())).unwrap();
            assert!(text.contains("FROM ${BASE}") && text.contains(PACKAGES), "{what}");
        }
    }

    #[test]
    fn the_c_library_is_read_from_the_packages() {
        let labels = [(
            PACKAGES_LABEL.to_owned(),
            "libc6=2.36-9+deb12u14 libvulkan1=1.3.239.0-1".to_owned(),
        )];
        let known = Known {
            labels: labels.into(),
            ..Known::default()
        };
        assert_eq!(Ready::of("n".to_owned(), &known).unwrap().glibc(), Some((2, 36)));
        assert!(
            Ready::of("n".to_owned(), &Known::default()).is_none(),
            "an image without the label is not ours"
        );
    }
}
