//! The image that a release's containers begin with: a registry's, one that is named, or one made on this machine.

use std::process::Output;

use anyhow::Result;
use camino::Utf8Path;
use isobit_gate::config::Release;

use super::engine::Engine;
use super::trouble;
use crate::failure::Failure;
use crate::proc::{Ended, Proc, complaint};

/// Stands for the release in the name of an image.
const PLACE: &str = "{release}";

/// What containers begin with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// What `ci/matrix.toml` names; images that are there already may begin with anything.
    #[default]
    Declared,
    /// What can be had: an image that was made here, a registry's, or one that is made now.
    Auto,
    /// This image, with `{release}` in place of the release's name.
    Image(String),
}

impl std::str::FromStr for Base {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "auto" => Self::Auto,
            image => Self::Image(image.to_owned()),
        })
    }
}

impl Base {
    /// Refuses one image for several releases.
    pub fn check(&self, releases: &[&Release]) -> Result<()> {
        match self {
            Self::Image(image) if releases.len() > 1 && !image.contains(PLACE) => Err(Failure::usage(
                format!("`--base {image}` is one image for {} releases", releases.len()),
                format!("name a release with `--release`, or write `{PLACE}` in its place: --base my/debian:{PLACE}"),
            )),
            _ => Ok(()),
        }
    }

    /// Whether an image that began with `found` will do.
    pub fn accepts(&self, found: &str, release: &Release) -> bool {
        match self {
            Self::Declared | Self::Auto => true,
            Self::Image(image) => image.replace(PLACE, &release.name) == found,
        }
    }

    /// The image for `release`, fetched or made where it is missing.
    pub fn provide(&self, proc: &Proc, engine: &Engine<'_>, release: &Release, log: &Utf8Path) -> Result<String> {
        match self {
            Self::Declared => pull(proc, engine, &release.image),
            Self::Image(image) => pull(proc, engine, &image.replace(PLACE, &release.name)),
            Self::Auto => {
                let own = format!("isobit/base:{}", release.name);
                if engine.image(&own)?.is_some() {
                    return Ok(own);
                }
                match fetch(proc, engine, &release.image)? {
                    Ok(()) => Ok(release.image.clone()),
                    Err(_) => make(proc, engine, release, own, log),
                }
            }
        }
    }
}

fn pull(proc: &Proc, engine: &Engine<'_>, image: &str) -> Result<String> {
    match fetch(proc, engine, image)? {
        Ok(()) => Ok(image.to_owned()),
        Err(output) => Err(trouble::not_pulled(image, &complaint(&output))),
    }
}

/// An image that is here or that a registry has; what the engine said where it can be had from neither.
fn fetch(proc: &Proc, engine: &Engine<'_>, image: &str) -> Result<Result<(), Output>> {
    if engine.image(image)?.is_some() {
        return Ok(Ok(()));
    }
    anstream::eprintln!("containers: pulling `{image}`");
    let output = proc.output(engine.cmd().args(["pull", "--quiet", image]))?;
    Ok(if output.status.success() { Ok(()) } else { Err(output) })
}

/// Makes a base with `docker/base.sh`.
fn make(proc: &Proc, engine: &Engine<'_>, release: &Release, image: String, log: &Utf8Path) -> Result<String> {
    if !Proc::has("mmdebstrap") {
        return Err(Failure::error(
            format!(
                "no registry that has `{}` can be reached, and `mmdebstrap`, which makes a base, is not installed",
                release.image
            ),
            "apt-get install mmdebstrap",
        ));
    }
    anstream::eprintln!("containers: no registry can be reached, making `{image}` with mmdebstrap");
    let what = format!("cannot make the base image `{image}`");
    let command = proc
        .cmd("sh")
        .args(["docker/base.sh", &release.name, &image, &engine.program]);
    match proc.logged(command, log)? {
        Ended::Well => Ok(image),
        Ended::Badly => Err(trouble::failed(
            &what,
            &fs_err::read_to_string(log)?,
            log,
            &engine.program,
        )),
        Ended::Interrupted => Err(trouble::interrupted(&what)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release(name: &str) -> Release {
        Release {
            name: name.to_owned(),
            image: format!("debian:{name}-slim"),
            versions: Default::default(),
        }
    }

    #[test]
    fn one_image_serves_one_release() {
        let (old, new) = (release("bookworm"), release("trixie"));
        let base: Base = "my/debian:12".parse().unwrap();
        assert!(base.check(&[&old]).is_ok());
        let error = base.check(&[&old, &new]).unwrap_err().to_string();
        assert!(
            error.starts_with("`--base my/debian:12` is one image for 2 releases\nhint: "),
            "{error}"
        );
        let base: Base = "my/debian:{release}".parse().unwrap();
        assert!(base.check(&[&old, &new]).is_ok());
        assert!(base.accepts("my/debian:trixie", &new) && !base.accepts("my/debian:trixie", &old));
        assert_eq!("auto".parse::<Base>().unwrap(), Base::Auto);
    }
}
