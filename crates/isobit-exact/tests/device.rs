//! Every function of the table on real drivers, bit for bit against Rust.
//!
//! The tests run once for each driver that `ISOBIT_TEST_DRIVERS` lists, in a process of its own, because the loader reads
//! its environment only once.

#![expect(clippy::unwrap_used, reason = "a test whose footing is gone stops where it stands")]

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use std::{env, fs};

use isobit::execution::{AdapterRequest, Backend, DeviceKind};
use isobit::format::{Depth, Format, Layout};
use isobit::frame::{Clip, ClipShape, Frame, Input, Plane};
use isobit_exact::check::{Batch, Operands, Outcome};
use isobit_exact::functions;
use isobit_wgpu::Executor;
use serde_json::Value;

/// Where the list of drivers is: a JSON array of objects with `name`, `icd` and `libraries`.
const DRIVERS: &str = "ISOBIT_TEST_DRIVERS";
/// Names the driver in a process that was started for one.
const DRIVER: &str = "ISOBIT_TEST_DRIVER";
/// Restricts the test to functions whose name contains it.
const FUNCTION: &str = "ISOBIT_TEST_FUNCTION";
/// Random operands of each function; `cargo xtask exact` tries more.
const RANDOM: usize = 1 << 16;

#[test]
fn every_function_equals_rust_and_every_mutant_is_caught() {
    if env::var_os(DRIVER).is_some() {
        return on_this_driver();
    }
    let list = env::var(DRIVERS).unwrap_or_else(|_| {
        panic!("this test needs graphics drivers, and `{DRIVERS}` names none\nhint: cargo xtask test")
    });
    let drivers: Vec<Value> = serde_json::from_str(&fs::read_to_string(&list).unwrap()).unwrap();
    assert!(!drivers.is_empty(), "`{list}` lists no driver");
    for driver in drivers {
        on_driver(&driver);
    }
}

fn on_driver(driver: &Value) {
    let text = |key: &str| driver[key].as_str().unwrap();
    let libraries = driver["libraries"].as_array().unwrap().iter();
    let libraries = libraries.map(|folder| Path::new(folder.as_str().unwrap()));
    let output = Command::new(env::current_exe().unwrap())
        .args([
            "every_function_equals_rust_and_every_mutant_is_caught",
            "--exact",
            "--nocapture",
        ])
        .env(DRIVER, text("name"))
        .env("VK_DRIVER_FILES", text("icd"))
        .env("VK_ICD_FILENAMES", text("icd"))
        .env("LD_LIBRARY_PATH", env::join_paths(libraries).unwrap())
        .env("XDG_RUNTIME_DIR", env!("CARGO_TARGET_TMPDIR"))
        .env_remove("RUST_BACKTRACE")
        .env("LVP_POISON_MEMORY", "true")
        .output()
        .unwrap();
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (said(&output.stdout), said(&output.stderr));
    let passed = output.status.success() && out.contains("1 passed");
    assert!(passed, "on `{}` ({}):\n{out}\n{err}", text("name"), output.status);
    println!("on `{}`:\n{out}", text("name"));
}

fn on_this_driver() {
    let request = AdapterRequest {
        backend: Backend::Vulkan,
        kinds: vec![DeviceKind::Cpu],
        name: "*".to_owned(),
        driver: "*".to_owned(),
    };
    let mut executor = Executor::open(&request).unwrap();
    let wanted = env::var(FUNCTION).unwrap_or_default();
    let mut failures = Vec::new();
    for function in functions::all().filter(|function| function.name.contains(&wanted)) {
        let random = Operands::random(function, 1).take(RANDOM);
        let batch = Batch::new(function, Operands::special(function).into_iter().chain(random));
        let outcome = run(&mut executor, &batch, false);
        println!(
            "{:>20}: {} compared, {} outside its domain, {} differ",
            function.name, outcome.compared, outcome.skipped, outcome.mismatches
        );
        failures.extend(outcome.first);

        let mutant = run(&mut executor, &batch, true);
        let expected = batch.disturbances() + outcome.mismatches;
        if mutant.mismatches != expected || mutant.mismatches == 0 {
            failures.push(format!(
                "the mutant of `{}` shows {} mismatches, not {expected}",
                function.name, mutant.mismatches
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn run(executor: &mut Executor, batch: &Batch, disturbed: bool) -> Outcome {
    let plan = batch.plan(disturbed).unwrap();
    let execution = executor.run(&plan, &nothing(), Duration::from_secs(60)).unwrap();
    assert_eq!(execution.faults, []);
    batch.judge(&execution.frames[0].u32s("results").unwrap())
}

/// One frame of one sample: the plans bring their operands along.
fn nothing() -> Input {
    let shape = ClipShape::tight(Format::new(Layout::Mono, Depth::U8), 1, 1);
    let plane = Plane::new(shape.planes[0], Depth::U8, vec![0]).unwrap();
    let clip = Clip::new(shape, vec![Frame { planes: vec![plane] }]).unwrap();
    Input::new(vec![clip]).unwrap()
}
