//! Writes rasters as a PNG of 16 bits that is there as a whole or not at all.

use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use isobit::output::{Output, Values};
use png::{BitDepth, ColorType, Encoder, EncodingError};
use tempfile::{Builder, NamedTempFile};

/// The hint where no input can be at fault.
const FAULT: &str = "hint: this is a fault of the example `stack`, so please report it";

/// Where a picture goes: a file beside it, of a name that no other run has, which takes the picture's name once it is whole. Where
/// that never happens it is removed when the program ends by itself; a program that is stopped from outside leaves it.
#[derive(Debug)]
pub struct Target {
    path: PathBuf,
    part: NamedTempFile,
}

impl Target {
    /// Opens the file, so that work whose result could not be kept is not begun.
    pub fn create(path: &Path) -> Result<Self> {
        let shown = path.display();
        let png = |extension: &std::ffi::OsStr| extension.eq_ignore_ascii_case("png");
        if !path.extension().is_some_and(png) {
            bail!("cannot write `{shown}`: a stack is a PNG\nhint: --out stacked.png");
        }
        if path.is_dir() {
            bail!("cannot write `{shown}`: it is a folder\nhint: --out {shown}/stacked.png");
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            let folder = folder.display();
            bail!("cannot write `{shown}`: there is no folder `{folder}`\nhint: mkdir -p {folder}");
        }
        let part = part(folder.unwrap_or_else(|| Path::new(".")));
        let part = part.map_err(|error| anyhow!("cannot write `{shown}`: {error}\nhint: --out in another folder"))?;
        let path = path.to_owned();
        Ok(Self { path, part })
    }

    /// Writes one plane as grey or three as colour. Samples from 0 to 1 fill the range of codes; where any is above 1, the
    /// largest does. With `lowest_first` the rows of the planes are from the lowest up.
    pub fn png(self, planes: &[&Output], lowest_first: bool) -> Result<()> {
        let shown = self.path.display();
        let colour = match planes.len() {
            1 => ColorType::Grayscale,
            3 => ColorType::Rgb,
            count => bail!("cannot write `{shown}`: a PNG has one plane or three, not {count}\n{FAULT}"),
        };
        let samples = planes.iter().map(|plane| match &plane.values {
            Values::F32(samples) => Ok(samples.as_slice()),
            other => bail!(
                "cannot write `{shown}`: a plane holds {:?}, not f32\n{FAULT}",
                other.kind()
            ),
        });
        let samples: Vec<&[f32]> = samples.collect::<Result<_>>()?;
        let most = samples.iter().copied().flatten().copied().fold(1.0f32, f32::max);
        let code = |sample: f32| (sample / most * 65_535.0).round().clamp(0.0, 65_535.0) as u16;
        let (width, height) = (planes[0].width, planes[0].height);
        let (columns, rows) = (width as usize, height as usize);
        let first = |y: usize| columns * if lowest_first { rows - 1 - y } else { y };
        let bytes: Vec<u8> = (0..rows)
            .flat_map(|y| first(y)..first(y) + columns)
            .flat_map(|pixel| samples.iter().map(move |plane| plane[pixel]))
            .flat_map(|sample| code(sample).to_be_bytes())
            .collect();

        let encode = || -> Result<(), EncodingError> {
            let mut encoder = Encoder::new(BufWriter::new(self.part.as_file()), width, height);
            encoder.set_color(colour);
            encoder.set_depth(BitDepth::Sixteen);
            let mut writer = encoder.write_header()?;
            writer.write_image_data(&bytes)?;
            writer.finish()
        };
        encode().map_err(|error| anyhow!("cannot write `{shown}`: {error}\nhint: --out on a disk with room"))?;
        let kept = self.part.persist(&self.path).map(drop);
        kept.map_err(|error| anyhow!("cannot write `{shown}`: {}\nhint: --out another file", error.error))
    }
}

/// A file of its own in a folder, which whoever may read new files of this user may read.
fn part(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".stack-").suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}
