//! Writes rasters as a PNG of 16 bits.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use isobit::output::{Output, Values};
use png::{BitDepth, ColorType, Encoder};

/// Writes one plane as grey or three as colour. Samples from 0 to 1 fill the range of codes; where any is above 1, the largest
/// does.
pub fn png(path: &Path, planes: &[&Output]) -> Result<()> {
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
    let most = samples.concat().into_iter().fold(1.0f32, f32::max);
    let code = |sample: f32| (sample / most * 65_535.0).round().clamp(0.0, 65_535.0) as u16;
    let pixels = 0..samples[0].len();
    let bytes: Vec<u8> = pixels
        .flat_map(|pixel| samples.iter().map(move |plane| plane[pixel]))
        .flat_map(|sample| code(sample).to_be_bytes())
        .collect();

    // Renamed when it is whole, so that an interrupted run leaves no half picture.
    let part = path.with_extension("png.part");
    let failed = || format!("cannot write `{}`", path.display());
    let file = File::create(&part).with_context(failed)?;
    let mut encoder = Encoder::new(BufWriter::new(file), planes[0].width, planes[0].height);
    encoder.set_color(colour);
    encoder.set_depth(BitDepth::Sixteen);
    let mut writer = encoder.write_header().with_context(failed)?;
    writer.write_image_data(&bytes).with_context(failed)?;
    writer.finish().with_context(failed)?;
    fs::rename(&part, path).with_context(failed)
}
