//! The example programs as a person runs them: `frames` paints, `stack` stacks, with the same bytes on every backend, and what it
//! says of bad input.
//!
//! `ISOBIT_TESTS` says which backends must be there, as for the tests of parity.

#![expect(clippy::unwrap_used, reason = "a test whose footing is gone stops where it stands")]

mod noise;
mod run;
#[path = "../../examples/frames/sky.rs"]
mod sky;

use std::fs;
use std::path::Path;

use fitsio_pure::image::build_image_hdu_with_scaling;
use run::{lanes, run};
use sky::Sky;
use tempfile::TempDir;

const SKY: Sky = Sky {
    width: 96,
    height: 96,
    noise: 0.04,
    drift: 4.0,
    seeing: [2.0, 2.0],
};

/// A folder with the first `count` frames of a sky, and their names.
fn painted(sky: &Sky, count: u32) -> (TempDir, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let paint = |frame: u32| {
        let name = format!("{frame:03}.png");
        sky.write(&folder.path().join(&name), &sky.frame(frame)).unwrap();
        name
    };
    let names = (0..count).map(paint).collect();
    (folder, names)
}

/// Arguments: the names, then the rest.
fn args<'a>(names: &'a [String], rest: &[&'a str]) -> Vec<&'a str> {
    names.iter().map(String::as_str).chain(rest.iter().copied()).collect()
}

#[test]
fn the_stack_has_the_same_bytes_on_every_backend_and_its_receipt_names_every_pass() {
    let (folder, names) = painted(&SKY, 32);
    let bytes = |out: &str| fs::read(folder.path().join(out)).unwrap();
    let rest = ["--out", "cpu.png", "--backend", "cpu", "--receipt"];
    let cpu = run("stack", folder.path(), None, &args(&names, &rest));
    assert_eq!((cpu.code, cpu.err.as_str()), (Some(0), ""));
    assert!(cpu.out.contains("\nreference: host, "), "{}", cpu.out);
    assert!(cpu.out.ends_with("\nwrote cpu.png: 16 of 32 pictures\n"), "{}", cpu.out);
    let pictures = |out: &str| out.lines().skip(1).take(32).map(str::to_owned).collect::<Vec<_>>();
    for lane in lanes() {
        let out = format!("{}.png", lane.name);
        let ran = run(
            "stack",
            folder.path(),
            Some(&lane),
            &args(&names, &["--out", &out, "--receipt"]),
        );
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", lane.name);
        assert!(
            bytes(&out) == bytes("cpu.png"),
            "on `{}` the stack has other bytes",
            lane.name
        );
        assert_eq!(pictures(&ran.out), pictures(&cpu.out), "{}", lane.name);

        let (first, rest) = ran.out.split_once('\n').unwrap();
        let adapter = first.strip_prefix("backend: ").unwrap();
        let receipt = rest.lines().find_map(|line| line.strip_prefix("clip: ")).unwrap();
        let (ran_by, passes) = receipt.rsplit_once(": ").unwrap();
        assert!(adapter.starts_with(ran_by), "{adapter} {ran_by}");
        let passes: Vec<_> = passes.split(", ").collect();
        assert!(passes.contains(&"rank"));
        // A sum for each picture, though those that are left out add nothing; the mean once.
        for (pass, count) in [("scores_", 32), ("settle_", 32), ("accumulate_", 32), ("normalise_", 1)] {
            let found = passes.iter().filter(|label| label.starts_with(pass)).count();
            assert_eq!(found, count, "{pass} in {passes:?}");
        }
    }
}

#[test]
fn pictures_that_moved_too_far_are_named_and_have_no_part() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["here.png", "right.png", "near.png", "up.png"].map(str::to_owned);
    let moved = [[0.0, 0.0], [15.0, 0.0], [5.0, -3.0], [0.0, -16.0]];
    for (name, moved) in names.iter().zip(moved) {
        // The first is the sharpest.
        let blur = if name == "here.png" { 1.8 } else { 2.0 };
        let light = SKY.light(moved, blur).into_iter();
        let codes: Vec<u16> = light.map(|light| (light * 65_535.0) as u16).collect();
        SKY.write(&folder.path().join(name), &codes).unwrap();
    }
    let rest = ["--out", "out.png", "--backend", "cpu", "--keep", "1"];
    let ran = run("stack", folder.path(), None, &args(&names, &rest));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let fates = ran.out.lines().map(|line| line.split("  ").last().unwrap());
    let fates: Vec<_> = fates.skip(1).take(4).collect();
    let far = "left out: moved by more than 11.5 samples";
    assert_eq!([fates[0], fates[1], fates[3]], ["moved by +0.0000, +0.0000", far, far]);
    assert!(fates[2].starts_with("moved by +"), "{fates:?}");
    assert!(ran.out.ends_with("wrote out.png: 2 of 4 pictures\n"), "{}", ran.out);
}

#[test]
fn frames_paints_what_it_says_and_says_how_to_stack_it() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(
        "frames",
        folder.path(),
        None,
        &["--count", "3", "--out", "a/b", "--side", "40"],
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(ran.out.contains("painted 3 pictures of 40x40"), "{}", ran.out);
    assert!(
        ran.out.contains("--example stack -- a/b/frame_*.png --out stacked.png"),
        "{}",
        ran.out
    );
    let sky = Sky {
        width: 40,
        height: 40,
        drift: 8.0,
        seeing: [1.8, 2.6],
        ..SKY
    };
    sky.write(&folder.path().join("own.png"), &sky.frame(2)).unwrap();
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("a/b/frame_0002.png") == read("own.png"));
    let ran = run("frames", folder.path(), None, &["--out", "own.png"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.starts_with("error: cannot make the folder `own.png`: ") && ran.err.contains("\nhint: --out "),
        "{}",
        ran.err
    );
    for option in ["noise", "drift"] {
        for value in ["nan", "inf", "-0.5", "much"] {
            let given = format!("--{option}={value}");
            let ran = run("frames", folder.path(), None, &["--out", "c", &given]);
            assert_eq!(ran.code, Some(2), "{given}");
            assert!(
                ran.err.contains("a finite number of at least 0 is wanted"),
                "{}",
                ran.err
            );
        }
    }
}

#[test]
fn colour_filter_samples_of_fits_begin_with_the_first_stored_row_and_the_stack_is_upright() {
    let folder = tempfile::tempdir().unwrap();
    let [width, height] = [SKY.width as usize, SKY.height as usize];
    // Red is brightest, and the rows that are stored first, which are the lowest.
    let sample = |(place, light): (usize, f64)| {
        let (x, y) = (place % width, place / width);
        let filter = [0.9, 0.3, 0.3, 0.1][2 * (y % 2) + x % 2];
        light * filter * if 2 * y < height { 1.0 } else { 0.5 } * 65_535.0
    };
    let names = ["a.fits", "b.fits"].map(str::to_owned);
    for (name, blur) in names.iter().zip([1.8, 2.0]) {
        let light = SKY.light([0.0, 0.0], blur).into_iter().enumerate();
        let samples: Vec<f64> = light.map(sample).collect();
        let bytes = build_image_hdu_with_scaling(16, &[width, height], &samples, 1.0, 32_768.0).unwrap();
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let rest = ["--bayer", "--out", "out.png", "--backend", "cpu", "--keep", "1"];
    let ran = run("stack", folder.path(), None, &args(&names, &rest));
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let colours = noise::read(&folder.path().join("out.png"));
    assert_eq!(colours.len(), 3 * width * height);
    let sum = |samples: &[f64], colour: usize| samples.iter().skip(colour).step_by(3).sum::<f64>();
    let [red, green, blue] = [0, 1, 2].map(|colour| sum(&colours, colour));
    assert!(red > 2.0 * green && green > 2.0 * blue, "{red} {green} {blue}");
    let (upper, lower) = colours.split_at(colours.len() / 2);
    assert!(
        sum(lower, 0) > 1.5 * sum(upper, 0),
        "{} {}",
        sum(lower, 0),
        sum(upper, 0)
    );
}

/// What is wrong, the arguments, and how the complaint begins; its second line is a hint.
const BAD: &[(&str, &[&str], &str)] = &[
    (
        "missing",
        &["000.png", "no.png", "--out", "o.png"],
        "there is no picture `no.png`",
    ),
    (
        "empty",
        &["000.png", "empty.png", "--out", "o.png"],
        "`empty.png` is empty",
    ),
    (
        "a folder",
        &["000.png", "folder", "--out", "o.png"],
        "`folder` is a folder, not a picture",
    ),
    (
        "text",
        &["000.png", "text.png", "--out", "o.png"],
        "clip `text.png` is not PNG",
    ),
    (
        "unknown",
        &["000.png", "text.txt", "--out", "o.png"],
        "cannot tell what `text.txt` is",
    ),
    (
        "mixed",
        &["000.png", "small.png", "--out", "o.png"],
        "`000.png` is mono-16 96x96 and `small.png` is mono-16 8x8, but the pictures of a stack have one kind and size",
    ),
    ("one", &["000.png", "--out", "o.png"], "`000.png` alone is no stack"),
    (
        "nowhere",
        &["000.png", "001.png", "--out", "no/o.png"],
        "cannot write `no/o.png`: there is no folder `no`",
    ),
    (
        "into a folder",
        &["000.png", "001.png", "--out", "folder.png"],
        "cannot write `folder.png`: it is a folder",
    ),
    (
        "not PNG",
        &["000.png", "001.png", "--out", "o.jpg"],
        "cannot write `o.jpg`: a stack is a PNG",
    ),
    (
        "itself",
        &["000.png", "001.png", "--out", "001.png"],
        "`001.png` is one of the pictures",
    ),
    (
        "itself, spelt otherwise",
        &["000.png", "001.png", "--out", "folder/.././001.png"],
        "`folder/.././001.png` is one of the pictures",
    ),
    (
        "backend",
        &["000.png", "001.png", "--out", "o.png", "--backend", "gpu"],
        "unknown backend `gpu`",
    ),
    (
        "keep",
        &["000.png", "001.png", "--out", "o.png", "--keep", "2"],
        "option `keep` of kernel `stack` is a number from 0 to 1, not `2`",
    ),
];

#[test]
fn each_bad_input_is_one_sentence_and_a_hint_and_leaves_nothing_behind() {
    let (folder, _) = painted(&SKY, 2);
    let at = |name: &str| folder.path().join(name);
    fs::write(at("empty.png"), "").unwrap();
    fs::write(at("text.png"), "no picture").unwrap();
    fs::write(at("text.txt"), "no picture").unwrap();
    fs::create_dir(at("folder")).unwrap();
    fs::create_dir(at("folder.png")).unwrap();
    let small = Sky {
        width: 8,
        height: 8,
        ..SKY
    };
    small.write(&at("small.png"), &small.frame(0)).unwrap();
    let before = names_in(folder.path());
    for (what, args, begins) in BAD {
        let mut args = args.to_vec();
        if !args.contains(&"--backend") {
            args.extend(["--backend", "cpu"]);
        }
        let ran = run("stack", folder.path(), None, &args);
        assert_eq!(ran.code, Some(1), "{what}");
        let lines: Vec<_> = ran.err.lines().collect();
        assert!(lines[0].starts_with(&format!("error: {begins}")), "{what}: {}", ran.err);
        assert!(
            lines.len() == 2 && lines[1].starts_with("hint: "),
            "{what}: {}",
            ran.err
        );
        assert_eq!(names_in(folder.path()), before, "{what}");
    }
    let usage = run("stack", folder.path(), None, &["--out", "o.png"]);
    assert_eq!(usage.code, Some(2));
    assert!(usage.err.contains("<IMAGES>"), "{}", usage.err);
}

#[test]
fn a_stack_that_is_there_is_replaced() {
    let (folder, names) = painted(&SKY, 2);
    let out = folder.path().join("out.png");
    fs::write(&out, "an earlier stack").unwrap();
    let ran = run(
        "stack",
        folder.path(),
        None,
        &args(&names, &["--out", "out.png", "--backend", "cpu"]),
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(fs::read(&out).unwrap().starts_with(b"\x89PNG"));
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
