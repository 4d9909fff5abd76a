//! What the program says when it is done: the place of each picture, and what became of it.

use std::fmt::Write as _;
use std::io::{self, ErrorKind, Write as _};
use std::path::PathBuf;

use anyhow::Result;
use imaging::align::farthest;
use isobit::output::{Output, Values};

/// A line for each picture, in the order of `images`: its place by sharpness, its name, and how it moved or why it has no part;
/// and how many have one, of `kept` that are sharp enough. Moves are to the right and down, also of pictures that were stacked
/// with their lowest row first.
pub fn pictures(images: &[PathBuf], outputs: &[Output], kept: usize, lowest_first: bool) -> (String, usize) {
    let of = |name: &'static str| outputs.iter().filter(move |output| output.metric.starts_with(name));
    let most = of("stacked")
        .next()
        .map_or(0, |plane| farthest(plane.width, plane.height));
    let most = f64::from(most) / 16.0;
    let (mut text, mut stacked) = (String::new(), 0);
    for ((path, rank), (x, y)) in images.iter().zip(of("rank")).zip(of("shift_x").zip(of("shift_y"))) {
        let place = number(rank) as usize + 1;
        let (x, y) = (number(x) / 16.0, number(y) / 16.0);
        // From 0, so that none is no negative zero.
        let y = if lowest_first { 0.0 - y } else { y };
        let fate = if place > kept {
            "left out: not sharp enough".to_owned()
        } else if x.abs().max(y.abs()) > most {
            format!("left out: moved by more than {most} samples")
        } else {
            stacked += 1;
            format!("moved by {x:+.4}, {y:+.4}")
        };
        // Writing to a string does not fail.
        let _ = writeln!(text, "{place:>4}  {}  {fate}", path.display());
    }
    (text, stacked)
}

/// Prints text; a reader that has gone away is no fault of the stack.
pub fn print(text: &str) -> Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// The one number of a score.
fn number(output: &Output) -> f64 {
    match &output.values {
        values @ (Values::F32(_) | Values::F64(_) | Values::U32(_) | Values::U64(_)) if !values.is_empty() => {
            values.get(0).as_f64()
        }
        _ => f64::NAN,
    }
}
