//! Reads PNG and FITS pictures as the frames of one clip.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use fitsio_pure::hdu::{Hdu, parse_fits};
use fitsio_pure::image::{ImageData, extract_bscale_bzero, image_dimensions, read_image_data, read_image_physical_f32};
use indicatif::{ProgressBar, ProgressStyle};
use isobit::format::{Depth, Format, Layout};
use isobit::frame::{Clip, ClipShape, Frame, Input, Plane};
use isobit_fixtures::clip::{ClipError, ClipReader};

/// The pictures as one clip, in the order of `paths`; with `bayer` grey ones as colour-filter samples. `admit` is asked about
/// their shape before the second is read.
pub fn clip(paths: &[PathBuf], bayer: bool, admit: &dyn Fn(&ClipShape) -> Result<()>) -> Result<Input> {
    paths.iter().try_for_each(|path| there(path))?;
    let style = ProgressStyle::with_template("reading {wide_bar} {pos}/{len}")?;
    let progress = ProgressBar::new(paths.len() as u64).with_style(style);
    let mut shape: Option<ClipShape> = None;
    let mut frames = Vec::new();
    for path in paths {
        let (mut own, frame) = picture(path)?;
        if bayer {
            if own.format.layout != Layout::Mono {
                bail!(
                    "`{}` has colours, but only grey pictures hold colour-filter samples\nhint: leave out --bayer",
                    path.display()
                );
            }
            own.format.layout = Layout::Bayer;
        }
        match &shape {
            None => {
                admit(&own)?;
                shape = Some(own);
            }
            Some(first) if *first == own => {}
            Some(first) => bail!(
                "`{}` is {} {}x{} and `{}` is {} {}x{}, but the pictures of a stack have one kind and size\n\
                 hint: stack each kind by itself",
                paths[0].display(),
                first.format,
                first.width,
                first.height,
                path.display(),
                own.format,
                own.width,
                own.height
            ),
        }
        frames.push(frame);
        progress.inc(1);
    }
    progress.finish_and_clear();
    let shape = shape.context("no picture was named")?;
    Ok(Input::new(vec![Clip::new(shape, frames)?])?)
}

/// Whether there is a file with something in it, which is asked of all of them before the first is read.
fn there(path: &Path) -> Result<()> {
    let shown = path.display();
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => bail!(
            "there is no picture `{shown}`\n\
             hint: paint some to try: cargo run --release -p imaging --example frames -- --out frames"
        ),
        Err(error) => Err(error).with_context(|| format!("cannot read `{shown}`")),
        Ok(found) if found.is_dir() => bail!("`{shown}` is a folder, not a picture\nhint: {shown}/*.png"),
        Ok(found) if found.len() == 0 => bail!("`{shown}` is empty\nhint: leave it out"),
        Ok(_) => Ok(()),
    }
}

fn picture(path: &Path) -> Result<(ClipShape, Frame)> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("fits" | "fit" | "fts") => fits(path),
        Some("png") => png(path),
        _ => bail!(
            "cannot tell what `{}` is\nhint: pictures end with .png, .fits, .fit or .fts",
            path.display()
        ),
    }
}

fn png(path: &Path) -> Result<(ClipShape, Frame)> {
    // The hints of a reader of clips are for clips.
    let broken = |error: ClipError| anyhow!("{error}\nhint: pictures are PNG of 8 or 16 bits, or FITS");
    let mut reader = ClipReader::open(path, None).map_err(broken)?;
    let shape = reader.shape().clone();
    let frame = reader.next_frames(1).map_err(broken)?.into_iter().next();
    Ok((
        shape,
        frame.with_context(|| format!("`{}` holds no picture", path.display()))?,
    ))
}

/// The first image of a file: one plane, or three of red, green and blue. Eight bits and unsigned sixteen stay what they are,
/// all else becomes f32 by its scale. FITS stores the lowest row first.
fn fits(path: &Path) -> Result<(ClipShape, Frame)> {
    let bytes = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let broken = || format!("cannot read `{}` as FITS", path.display());
    let file = parse_fits(&bytes)
        .map_err(|error| anyhow!("{error}"))
        .with_context(broken)?;
    let sizes = |hdu: &&Hdu| image_dimensions(hdu).is_ok_and(|sizes| sizes.len() >= 2);
    let hdu = file
        .iter()
        .find(sizes)
        .with_context(|| format!("`{}` holds no image", path.display()))?;
    let sizes = image_dimensions(hdu)
        .map_err(|error| anyhow!("{error}"))
        .with_context(broken)?;
    let (layout, width, height) = match sizes[..] {
        [width, height] | [width, height, 1] => (Layout::Mono, width, height),
        [width, height, 3] => (Layout::Rgb, width, height),
        _ => bail!(
            "`{}` holds an image of {sizes:?} samples, and a picture has one plane or three",
            path.display()
        ),
    };
    let data = read_image_data(&bytes, hdu)
        .map_err(|error| anyhow!("{error}"))
        .with_context(broken)?;
    let (depth, samples): (_, Vec<u8>) = match (data, extract_bscale_bzero(&hdu.cards)) {
        (ImageData::U8(samples), (1.0, 0.0)) => (Depth::U8, samples),
        (ImageData::I16(samples), (1.0, 32_768.0)) => {
            let unsigned = samples.into_iter().map(|sample| (i32::from(sample) + 32_768) as u16);
            (Depth::U16, unsigned.flat_map(u16::to_le_bytes).collect())
        }
        _ => {
            let physical = read_image_physical_f32(&bytes, hdu).map_err(|error| anyhow!("{error}"));
            let physical = physical.with_context(broken)?;
            (Depth::F32, physical.into_iter().flat_map(f32::to_le_bytes).collect())
        }
    };
    let side = |side: usize| u32::try_from(side).with_context(|| format!("`{}` is too large", path.display()));
    let shape = ClipShape::tight(Format::new(layout, depth), side(width)?, side(height)?);
    let planes = samples.chunks(width * height * depth.bytes()).zip(&shape.planes);
    let planes = planes.map(|(bytes, shape)| {
        let rows = bytes.chunks(shape.stride).rev().flatten().copied();
        Plane::new(*shape, depth, rows.collect())
    });
    let planes = planes.collect::<Result<Vec<_>, _>>()?;
    Ok((shape, Frame { planes }))
}
