//! Reads PNG and FITS pictures as the frames of one clip.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use fitsio_pure::error::Error as FitsError;
use fitsio_pure::hdu::{Hdu, parse_fits};
use fitsio_pure::image::{ImageData, extract_bscale_bzero, image_dimensions, read_image_data, read_image_physical_f32};
use indicatif::{ProgressBar, ProgressStyle};
use isobit::format::{Depth, Format, Layout};
use isobit::frame::{Clip, ClipShape, Frame, Input, Plane};
use isobit_fixtures::clip::{ClipError, ClipReader};

/// What was read.
#[derive(Debug)]
pub struct Pictures {
    /// One frame for each picture.
    pub clip: Input,
    /// Whether the first row of the frames is the lowest of the pictures, so that what becomes of them is yet to be turned.
    pub lowest_first: bool,
}

/// The pictures as one clip, in the order of `paths`; with `bayer` grey ones as colour-filter samples, whose pattern begins with
/// the first row that a file stores. `admit` is asked about their shape before the second is read.
pub fn clip(paths: &[PathBuf], bayer: bool, admit: &dyn Fn(&ClipShape) -> Result<()>) -> Result<Pictures> {
    paths.iter().try_for_each(|path| there(path))?;
    let style = ProgressStyle::with_template("reading {wide_bar} {pos}/{len}")?;
    let progress = ProgressBar::new(paths.len() as u64).with_style(style);
    let mut shape: Option<ClipShape> = None;
    let mut frames = Vec::new();
    // Turning FITS upright before its colours are known would begin the pattern with another row if the height is even.
    let lowest_first = bayer && paths.first().is_some_and(|path| is_fits(path));
    for path in paths {
        if bayer && is_fits(path) != lowest_first {
            bail!(
                "`{}` and `{}` are PNG and FITS, whose colour-filter samples begin at opposite ends\n\
                 hint: stack each kind by itself",
                paths[0].display(),
                path.display()
            );
        }
        let (mut own, frame) = picture(path, lowest_first)?;
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
    let shape = shape.context("cannot stack: no picture was named\nhint: name two pictures or more")?;
    let clip = Clip::new(shape, frames).map_err(anyhow::Error::from);
    let clip = clip.and_then(|clip| Ok(Input::new(vec![clip])?));
    let clip = clip.map_err(|error| anyhow!("cannot stack the pictures: {error}\nhint: stack each kind by itself"))?;
    Ok(Pictures { clip, lowest_first })
}

/// Whether there is a file with something in it, which is asked of all of them before the first is read.
fn there(path: &Path) -> Result<()> {
    let shown = path.display();
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => bail!(
            "there is no picture `{shown}`\n\
             hint: paint some to try: cargo run --release -p imaging --example frames -- --out frames"
        ),
        Err(error) => Err(unreadable(path, &error)),
        Ok(found) if found.is_dir() => bail!("`{shown}` is a folder, not a picture\nhint: {shown}/*.png"),
        Ok(found) if found.len() == 0 => bail!("`{shown}` is empty\nhint: leave it out"),
        Ok(_) => Ok(()),
    }
}

fn unreadable(path: &Path, error: &io::Error) -> anyhow::Error {
    let shown = path.display();
    anyhow!("cannot read `{shown}`: {error}\nhint: see who may read it, or leave it out")
}

fn ends_with(path: &Path, endings: &[&str]) -> bool {
    path.extension()
        .is_some_and(|own| endings.iter().any(|ending| own.eq_ignore_ascii_case(ending)))
}

fn is_fits(path: &Path) -> bool {
    ends_with(path, &["fits", "fit", "fts"])
}

fn picture(path: &Path, lowest_first: bool) -> Result<(ClipShape, Frame)> {
    if is_fits(path) {
        return fits(path, lowest_first);
    }
    if ends_with(path, &["png"]) {
        return png(path);
    }
    bail!(
        "cannot tell what `{}` is\nhint: pictures end with .png, .fits, .fit or .fts",
        path.display()
    )
}

fn png(path: &Path) -> Result<(ClipShape, Frame)> {
    // The hints of a reader of clips are for clips.
    let broken = |error: ClipError| anyhow!("{error}\nhint: pictures are PNG of 8 or 16 bits, or FITS");
    let mut reader = ClipReader::open(path, None).map_err(broken)?;
    let shape = reader.shape().clone();
    let frame = reader.next_frames(1).map_err(broken)?.into_iter().next();
    Ok((
        shape,
        frame.with_context(|| format!("`{}` holds no picture\nhint: leave it out", path.display()))?,
    ))
}

/// The first image of a file: one plane, or three of red, green and blue. Eight bits and unsigned sixteen stay what they are,
/// all else becomes f32 by its scale. FITS stores the lowest row first, which stays first with `lowest_first`.
fn fits(path: &Path, lowest_first: bool) -> Result<(ClipShape, Frame)> {
    let shown = path.display();
    let bytes = fs::read(path).map_err(|error| unreadable(path, &error))?;
    let broken =
        |error: FitsError| anyhow!("cannot read `{shown}` as FITS: {error}\nhint: save it again, or leave it out");
    let file = parse_fits(&bytes).map_err(broken)?;
    let sizes = |hdu: &Hdu| image_dimensions(hdu).ok().filter(|sizes| sizes.len() >= 2);
    let (hdu, sizes) = file
        .iter()
        .find_map(|hdu| Some((hdu, sizes(hdu)?)))
        .with_context(|| format!("`{shown}` holds no image\nhint: leave it out"))?;
    let (layout, width, height) = match sizes[..] {
        [width, height] | [width, height, 1] => (Layout::Mono, width, height),
        [width, height, 3] => (Layout::Rgb, width, height),
        _ => bail!(
            "`{shown}` holds an image of {sizes:?} samples, and a picture has one plane or three\n\
             hint: save each of its planes as a file"
        ),
    };
    if width == 0 || height == 0 {
        bail!("`{shown}` holds an image of {width}x{height} samples, which is none\nhint: leave it out");
    }
    let side = |side: usize| {
        u32::try_from(side).with_context(|| format!("`{shown}` has a side of {side} samples\nhint: crop it first"))
    };
    let (columns, rows) = (side(width)?, side(height)?);
    let data = read_image_data(&bytes, hdu).map_err(broken)?;
    let (depth, samples): (_, Vec<u8>) = match (data, extract_bscale_bzero(&hdu.cards)) {
        (ImageData::U8(samples), (1.0, 0.0)) => (Depth::U8, samples),
        (ImageData::I16(samples), (1.0, 32_768.0)) => {
            let unsigned = samples.into_iter().map(|sample| (i32::from(sample) + 32_768) as u16);
            (Depth::U16, unsigned.flat_map(u16::to_le_bytes).collect())
        }
        _ => {
            let physical = read_image_physical_f32(&bytes, hdu).map_err(broken)?;
            (Depth::F32, physical.into_iter().flat_map(f32::to_le_bytes).collect())
        }
    };
    let shape = ClipShape::tight(Format::new(layout, depth), columns, rows);
    let planes = samples.chunks(width * height * depth.bytes()).zip(&shape.planes);
    let planes = planes.map(|(bytes, shape)| {
        let rows = bytes.chunks(shape.stride);
        let bytes = if lowest_first {
            bytes.to_vec()
        } else {
            rows.rev().flatten().copied().collect()
        };
        Plane::new(*shape, depth, bytes)
    });
    let planes = planes.collect::<Result<Vec<_>, _>>();
    let planes =
        planes.map_err(|error| anyhow!("cannot read `{shown}`: {error}\nhint: save it again, or leave it out"))?;
    Ok((shape, Frame { planes }))
}
