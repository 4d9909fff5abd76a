//! For tests alone: runs a test once for each software driver that was provided, in a process of its own, because the loader
//! reads its environment only once. A test without drivers fails; it is never skipped.

use std::env;
use std::process::{Command, Output};

use isobit::execution::{AdapterRequest, Backend, DeviceKind};
use isobit_gate::args::Driver;

/// Names the driver in a process that was started for one.
const DRIVER: &str = "ISOBIT_TEST_DRIVER";

/// Runs `body` on the driver that this process was started for, or starts one such process for each driver.
///
/// `test` is the name of the calling test within its program, modules before it.
///
/// # Panics
/// Where no driver was provided, where a process cannot be started, and where the test fails in one: with what it said.
pub fn on_each_driver(test: &str, body: impl FnOnce(&AdapterRequest)) {
    if let Ok(driver) = env::var(DRIVER) {
        return body(&request(&driver));
    }
    let drivers = Driver::of_tests().unwrap_or_else(|error| panic!("{error}"));
    assert!(!drivers.is_empty(), "no driver was provided\nhint: cargo xtask test");
    for driver in &drivers {
        let output = in_process_of(driver, test).unwrap_or_else(|error| panic!("start `{test}` again: {error}"));
        let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (said(&output.stdout), said(&output.stderr));
        // A name that no test has is no failure in the eyes of the test harness.
        let passed = output.status.success() && out.contains("1 passed");
        assert!(passed, "on `{}` ({}):\n{out}\n{err}", driver.name, output.status);
        println!("on `{}`:\n{out}", driver.name);
    }
}

/// What a process that sees only `driver` must find there.
fn request(driver: &str) -> AdapterRequest {
    let (name, driver) = match driver {
        "lavapipe" => ("llvmpipe*", "llvmpipe"),
        "swiftshader" => ("SwiftShader*", "SwiftShader*"),
        other => panic!("no test knows the adapter of driver `{other}`"),
    };
    AdapterRequest {
        backend: Backend::Vulkan,
        kinds: vec![DeviceKind::Cpu],
        name: name.to_owned(),
        driver: driver.to_owned(),
    }
}

fn in_process_of(driver: &Driver, test: &str) -> std::io::Result<Output> {
    let private = tempfile::tempdir()?;
    let libraries = env::join_paths(&driver.libraries).map_err(std::io::Error::other)?;
    Command::new(env::current_exe()?)
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env(DRIVER, &driver.name)
        .env("VK_DRIVER_FILES", &driver.icd)
        .env("VK_ICD_FILENAMES", &driver.icd)
        .env("LD_LIBRARY_PATH", libraries)
        .env("XDG_RUNTIME_DIR", private.path())
        .env("LVP_POISON_MEMORY", "true")
        .env_remove("RUST_BACKTRACE")
        .output()
}
