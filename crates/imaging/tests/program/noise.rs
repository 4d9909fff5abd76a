//! How noise falls with the number of pictures that are kept, by formulas of its own.
//!
//! The truth is the sky without noise where the sharpest picture has it, since everything is brought there. Between samples a
//! picture is interpolated, which takes noise too: with weights `w` along both axes, `(Σw²)·(Σw²)` of its variance are left. So
//! the error that must be left of `n` pictures is `σ/n · √(Σ (Σw²)(Σw²))`, close to `σ/√n`. The stars are wide enough for the
//! interpolation: a stack without noise shows what it, and the alignment to sixteenths of a sample, do to the truth.

use std::f64::consts::PI;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use crate::run::run;
use crate::sky::Sky;
use crate::{SKY, args, painted};

/// Columns and rows at the edges that pictures which drift leave uncovered, or interpolate from the edge.
const MARGIN: usize = 12;

/// The part of the variance of noise that interpolation at a part of a sample leaves along one axis.
fn left(part: f64) -> f64 {
    let part = part.rem_euclid(1.0);
    let sinc = |t: f64| if t == 0.0 { 1.0 } else { (PI * t).sin() / (PI * t) };
    let weights = (-2..=3).map(|tap| {
        let t = part - f64::from(tap);
        if t.abs() < 3.0 { sinc(t) * sinc(t / 3.0) } else { 0.0 }
    });
    let (sum, squares) = weights.fold((0.0, 0.0), |(sum, squares), weight| {
        (sum + weight, squares + weight * weight)
    });
    squares / (sum * sum)
}

/// The samples of a PNG of 16 bits, from 0 to 1.
pub fn read(path: &Path) -> Vec<f64> {
    let decoder = png::Decoder::new(BufReader::new(File::open(path).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut bytes).unwrap();
    let codes = bytes.as_chunks::<2>().0.iter().map(|code| u16::from_be_bytes(*code));
    codes.map(|code| f64::from(code) / 65_535.0).collect()
}

/// The error of a stack of the sharper half of `2 · kept` pictures, and the error that noise alone must leave.
fn errors(sky: &Sky, folder: &Path, names: &[String]) -> [f64; 2] {
    let kept = names.len() / 2;
    let ran = run(
        "stack",
        folder,
        None,
        &args(names, &["--out", "out.png", "--backend", "cpu"]),
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let place = |frame: usize| {
        let line = ran
            .out
            .lines()
            .find(|line| line.split_whitespace().nth(1) == Some(&names[frame]));
        line.unwrap()
            .split_whitespace()
            .next()
            .unwrap()
            .parse::<usize>()
            .unwrap()
    };
    let moved = |frame: usize| sky.moved(frame as u32);
    let best = (0..names.len()).find(|&frame| place(frame) == 1).unwrap();
    let truth = sky.light(moved(best), sky.blur(best as u32));
    let stacked = read(&folder.join("out.png"));
    let [width, height] = [sky.width as usize, sky.height as usize];
    let inside = (MARGIN..height - MARGIN).flat_map(|y| (MARGIN..width - MARGIN).map(move |x| y * width + x));
    let squares: Vec<f64> = inside.map(|index| (stacked[index] - truth[index]).powi(2)).collect();
    let parts = (0..names.len()).filter(|&frame| place(frame) <= kept).map(|frame| {
        let [right, down] = [0, 1].map(|axis| left(moved(frame)[axis] - moved(best)[axis]));
        right * down
    });
    let expected = sky.noise / kept as f64 * parts.sum::<f64>().sqrt();
    [(squares.iter().sum::<f64>() / squares.len() as f64).sqrt(), expected]
}

#[test]
fn the_error_to_the_truth_falls_as_one_over_the_root_of_the_pictures_kept() {
    let (folder, names) = painted(&SKY, 128);
    let found = [4, 16, 64].map(|kept| errors(&SKY, folder.path(), &names[..2 * kept]));
    println!("error, and what noise alone leaves, of 4, 16 and 64 pictures: {found:?}");
    for [error, expected] in found {
        // An estimate from some 5000 samples that share a little of their noise errs by 2%; alignment adds the rest.
        assert!((0.94..1.12).contains(&(error / expected)), "{found:?}");
    }
    for pair in found.windows(2) {
        // The sharpest picture is not interpolated and keeps all of its noise, which of four pictures counts most: 2.06 at
        // most for 2.
        let ratio = pair[0][0] / pair[1][0];
        assert!((1.85..2.2).contains(&ratio), "{ratio} in {found:?}");
    }

    let calm = Sky { noise: 0.0, ..SKY };
    let (folder, names) = painted(&calm, 8);
    let [error, _] = errors(&calm, folder.path(), &names);
    println!("error without noise: {error}");
    assert!(error < 0.2 * found[2][1], "{error} of {found:?}");
}

#[test]
fn interpolation_leaves_all_noise_of_whole_samples_and_least_halfway() {
    assert!((left(0.0) - 1.0).abs() < 1e-12 && (left(-3.0) - 1.0).abs() < 1e-12);
    assert!((left(0.25) - left(0.75)).abs() < 1e-12);
    assert!((0.7..0.8).contains(&left(0.5)), "{}", left(0.5));
}
