//! The files that the example `stack` reads and writes, and what it says of bad ones.

#![expect(clippy::unwrap_used, reason = "a test whose footing is gone stops where it stands")]

#[path = "../examples/stack/read.rs"]
mod read;
#[path = "../examples/stack/write.rs"]
mod write;

use std::fs;
use std::path::{Path, PathBuf};

use fitsio_pure::image::{ImageData, build_image_hdu, build_image_hdu_with_scaling};
use isobit::frame::Input;
use isobit::output::{Output, Values};

fn output(width: u32, samples: &[f32]) -> Output {
    Output {
        metric: "stacked",
        frame: 0,
        plane: 0,
        width,
        height: samples.len() as u32 / width,
        values: Values::F32(samples.to_vec()),
    }
}

fn written(path: &Path, planes: &[&Output]) {
    write::Target::create(path).unwrap().png(planes, false).unwrap();
}

fn clip(paths: &[PathBuf], bayer: bool) -> Input {
    read::clip(paths, bayer, &|_| Ok(())).unwrap().clip
}

fn complaint(paths: &[PathBuf], bayer: bool) -> String {
    format!("{:#}", read::clip(paths, bayer, &|_| Ok(())).unwrap_err())
}

fn fits(folder: &Path, name: &str, bytes: Vec<u8>) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn a_picture_that_is_written_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grey.png");
    written(&path, &[&output(3, &[0.0, 0.5, 1.0, 0.25, -1.0, f32::NAN])]);
    let input = clip(&[path.clone(), path], false);
    assert_eq!(
        (input.frames(), input.shape().format.to_string().as_str()),
        (2, "mono-16")
    );
    let codes: Vec<u32> = (0..2).flat_map(|y| input.plane(0, 0, 0).codes(y)).collect();
    assert_eq!(codes, [0, 32_768, 65_535, 16_384, 0, 0]);
}

#[test]
fn samples_above_one_are_brought_into_range_and_colours_stay_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("colour.png");
    let planes = [output(1, &[4.0]), output(1, &[2.0]), output(1, &[0.0])];
    written(&path, &planes.each_ref());
    let input = clip(&[path], false);
    let codes = [0, 1, 2].map(|plane| input.plane(0, 0, plane).codes(0).next().unwrap());
    assert_eq!(codes, [65_535, 32_768, 0]);
}

#[test]
fn fits_of_each_kind_is_turned_upright_but_for_colour_filter_samples() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = build_image_hdu(8, &[2, 2], &ImageData::U8(vec![1, 2, 3, 4])).unwrap();
    let input = clip(&[fits(folder.path(), "a.fits", bytes)], false);
    assert_eq!(input.plane(0, 0, 0).bytes(), [3, 4, 1, 2]);

    let physical: Vec<f64> = vec![0.0, 40_000.0, 65_535.0, 7.0];
    let bytes = build_image_hdu_with_scaling(16, &[2, 2], &physical, 1.0, 32_768.0).unwrap();
    let input = clip(&[fits(folder.path(), "b.FIT", bytes)], true);
    assert_eq!(input.shape().format.to_string(), "bayer-16");
    assert_eq!(input.plane(0, 0, 0).codes(0).collect::<Vec<_>>(), [0, 40_000]);

    let samples = (0..12u8).map(f32::from).collect();
    let bytes = build_image_hdu(-32, &[2, 2, 3], &ImageData::F32(samples)).unwrap();
    let input = clip(&[fits(folder.path(), "c.fts", bytes)], false);
    assert_eq!(input.shape().format.to_string(), "rgb-f32");
    assert_eq!(input.plane(0, 0, 1).floats(0).collect::<Vec<_>>(), [6.0, 7.0]);
}

#[test]
fn each_bad_input_is_named_with_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let text = fits(folder.path(), "notes.txt", b"nothing".to_vec());
    assert!(complaint(&[text], false).contains("hint: pictures end with .png, .fits, .fit or .fts"));
    let missing = folder.path().join("missing.fits");
    assert!(complaint(&[missing], false).contains("missing.fits"));
    let torn = fits(folder.path(), "torn.fits", b"SIMPLE  =                    T".to_vec());
    assert!(complaint(&[torn], false).contains("torn.fits"));
    let damaged = fits(folder.path(), "damaged.png", b"\x89PNG\r\n\x1a\nand no more".to_vec());
    assert!(complaint(&[damaged], false).contains("damaged.png"));

    let one = build_image_hdu(8, &[2, 2], &ImageData::U8(vec![0; 4])).unwrap();
    let other = build_image_hdu(8, &[3, 2], &ImageData::U8(vec![0; 6])).unwrap();
    let paths = [
        fits(folder.path(), "one.fits", one),
        fits(folder.path(), "other.fits", other),
    ];
    let text = complaint(&paths, false);
    assert!(text.contains("mono-8 2x2") && text.contains("mono-8 3x2"), "{text}");
    let colour = folder.path().join("colour.png");
    let planes = [output(1, &[0.0]), output(1, &[0.0]), output(1, &[0.0])];
    written(&colour, &planes.each_ref());
    assert!(complaint(&[colour], true).contains("has colours"));
    let grey = folder.path().join("grey.png");
    written(&grey, &[&output(2, &[0.0; 4])]);
    let text = complaint(&[paths[0].clone(), grey], true);
    assert!(text.contains("are PNG and FITS"), "{text}");
}

#[test]
fn fits_of_no_samples_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (sides, said) in [([0, 2], "0x2"), ([2, 0], "2x0"), ([0, 0], "0x0")] {
        let bytes = build_image_hdu(8, &sides, &ImageData::U8(Vec::new())).unwrap();
        let path = fits(folder.path(), "none.fits", bytes);
        for bayer in [false, true] {
            let text = complaint(std::slice::from_ref(&path), bayer);
            let sentence = format!("holds an image of {said} samples, which is none\nhint: ");
            assert!(text.contains(&sentence), "{text}");
        }
    }
}

#[test]
fn planes_with_their_lowest_row_first_are_turned() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("turned.png");
    let plane = output(2, &[0.0, 0.25, 0.5, 0.75, 1.0, 0.125]);
    write::Target::create(&path).unwrap().png(&[&plane], true).unwrap();
    let input = clip(&[path], false);
    let codes: Vec<u32> = (0..3).flat_map(|y| input.plane(0, 0, 0).codes(y)).collect();
    assert_eq!(codes, [65_535, 8192, 32_768, 49_151, 0, 16_384]);

    let path = fits(
        folder.path(),
        "a.fits",
        build_image_hdu(8, &[1, 1], &ImageData::U8(vec![0])).unwrap(),
    );
    let lowest_first = |bayer| {
        read::clip(std::slice::from_ref(&path), bayer, &|_| Ok(()))
            .unwrap()
            .lowest_first
    };
    assert_eq!([false, true].map(lowest_first), [false, true]);
}

#[test]
fn a_part_is_no_other_runs_and_goes_with_its_target() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.png");
    let count = || fs::read_dir(folder.path()).unwrap().count();
    let [one, other] = [0.25, 0.75].map(|sample| (write::Target::create(&path).unwrap(), output(1, &[sample])));
    assert_eq!(count(), 2);
    one.0.png(&[&one.1], false).unwrap();
    let code = || clip(std::slice::from_ref(&path), false).plane(0, 0, 0).codes(0).next();
    assert_eq!(code(), Some(16_384));
    other.0.png(&[&other.1], false).unwrap();
    assert_eq!((count(), code()), (1, Some(49_151)));
    drop(write::Target::create(&path).unwrap());
    assert_eq!(count(), 1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let plain = fits(folder.path(), "plain.png", Vec::new());
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&path), mode(&plain));
    }
}
