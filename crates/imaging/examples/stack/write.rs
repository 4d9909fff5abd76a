//! Writes rasters as a PNG of 16 bits that is there as a whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use isobit::output::{Output, Values};
use png::{BitDepth, ColorType, Encoder};

/// Where a picture goes: a file beside it that takes its name once it is whole, and is removed where that never happens.
#[derive(Debug)]
pub struct Target {
    path: PathBuf,
    part: PathBuf,
    file: File,
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
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(".part");
        let part = path.with_file_name(name);
        let file = File::create(&part).with_context(|| format!("cannot write `{shown}`"))?;
        let path = path.to_owned();
        Ok(Self { path, part, file })
    }

    /// Writes one plane as grey or three as colour. Samples from 0 to 1 fill the range of codes; where any is above 1, the
    /// largest does.
    pub fn png(self, planes: &[&Output]) -> Result<()> {
        let colour = match planes.len() {
            1 => ColorType::Grayscale,
            3 => ColorType::Rgb,
            count => bail!("a PNG has one plane or three, not {count}"),
        };
        let samples = planes.iter().map(|plane| match &plane.values {
            Values::F32(samples) => Ok(samples.as_slice()),
            other => bail!("a plane holds {:?}, not f32", other.kind()),
        });
        let samples: Vec<&[f32]> = samples.collect::<Result<_>>()?;
        let most = samples.iter().copied().flatten().copied().fold(1.0f32, f32::max);
        let code = |sample: f32| (sample / most * 65_535.0).round().clamp(0.0, 65_535.0) as u16;
        let pixels = 0..samples[0].len();
        let bytes: Vec<u8> = pixels
            .flat_map(|pixel| samples.iter().map(move |plane| plane[pixel]))
            .flat_map(|sample| code(sample).to_be_bytes())
            .collect();

        let failed = || format!("cannot write `{}`", self.path.display());
        let mut encoder = Encoder::new(BufWriter::new(&self.file), planes[0].width, planes[0].height);
        encoder.set_color(colour);
        encoder.set_depth(BitDepth::Sixteen);
        let mut writer = encoder.write_header().with_context(failed)?;
        writer.write_image_data(&bytes).with_context(failed)?;
        writer.finish().with_context(failed)?;
        fs::rename(&self.part, &self.path).with_context(failed)
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // Once it is renamed there is none.
        let _ = fs::remove_file(&self.part);
    }
}
