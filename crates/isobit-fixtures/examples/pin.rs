//! Writes `pins.json` from the fixtures as they are now, and says how it differs from the file as it was.
//!
//! Pins that are new are written. With `--replace`, those whose fixture has changed or gone are written too; without it
//! they are kept, listed, and the exit code is 1.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use isobit_fixtures::pins::{self, Pin};
use isobit_fixtures::{Fixture, all};

fn main() -> Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let replace = arguments == ["--replace"];
    ensure!(
        replace || arguments.is_empty(),
        "unknown arguments `{}`\nhint: cargo run --release -p isobit-fixtures --example pin [-- --replace]",
        arguments.join(" ")
    );

    let key = |pin: &Pin| (pin.fixture.clone(), pin.format);
    let mut old: BTreeMap<_, Pin> = pins::all().iter().map(|pin| (key(pin), pin.clone())).collect();
    let mut kept = 0;
    let mut pins = Vec::new();
    for pin in measure()? {
        match old.remove(&key(&pin)) {
            None => println!("new      {} {}", pin.fixture, pin.format),
            Some(before) if before == pin => {}
            Some(_) if replace => println!("replaced {} {}", pin.fixture, pin.format),
            Some(before) => {
                println!("CHANGED  {} {}: the old pin stays", pin.fixture, pin.format);
                kept += 1;
                pins.push(before);
                continue;
            }
        }
        pins.push(pin);
    }
    for pin in old.into_values() {
        if replace {
            println!("dropped  {} {}", pin.fixture, pin.format);
        } else {
            println!("GONE     {} {}: the old pin stays", pin.fixture, pin.format);
            kept += 1;
            pins.push(pin);
        }
    }

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("pins.json");
    write(&path, &pins)?;
    println!("{} pins in `{}`", pins.len(), path.display());
    if kept > 0 {
        println!("hint: cargo run --release -p isobit-fixtures --example pin -- --replace");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn measure() -> Result<Vec<Pin>> {
    let mut pins = Vec::new();
    for fixture in all() {
        for format in fixture.formats() {
            let digest = |clips| {
                let input = fixture.input(format, clips);
                let input = input.with_context(|| format!("`{}` has no input in `{format}`", fixture.name))?;
                anyhow::Ok(Fixture::digest(&input))
            };
            pins.push(Pin {
                fixture: fixture.name.to_owned(),
                format,
                one: digest(1)?,
                two: digest(2)?,
            });
        }
    }
    Ok(pins)
}

/// Replaces the file as a whole, one line a pin.
fn write(path: &Path, pins: &[Pin]) -> Result<()> {
    let lines = pins.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
    let new = path.with_extension("json.new");
    fs::write(&new, format!("[\n{}\n]\n", lines.join(",\n")))
        .with_context(|| format!("cannot write `{}`", new.display()))?;
    fs::rename(&new, path).with_context(|| format!("cannot replace `{}`", path.display()))
}
