//! For tests alone: what `ISOBIT_TESTS` demands to be there, and a test in a process of its own for each software driver,
//! because the loader reads its environment only once. What is demanded and not there is a failure, never a skip.

use std::env;
use std::path::Path;
use std::process::{Command, Output};

use isobit::execution::{AdapterRequest, Backend, DeviceKind};
use isobit_gate::args::Driver;

/// Names the variable that holds what tests demand: `software`, `hardware` or `none`.
pub const DEMAND: &str = "ISOBIT_TESTS";
/// Names the driver in a process that was started for one.
const DRIVER: &str = "ISOBIT_TEST_DRIVER";

/// What must be there.
pub enum Demand {
    /// These software drivers, of which there is one at least.
    Software(Vec<Driver>),
    /// A GPU.
    Hardware,
    /// Nothing: only the CPU's side runs.
    None,
}

impl Demand {
    /// What the environment says; software where it says nothing.
    ///
    /// # Panics
    /// Where it says something else, and where software drivers are demanded and none was provided.
    pub fn of_environment() -> Self {
        match env::var(DEMAND).as_deref() {
            Err(_) | Ok("software") => {
                let drivers = Driver::of_tests().unwrap_or_else(|error| panic!("{error}"));
                assert!(
                    !drivers.is_empty(),
                    "no software driver was provided\nhint: cargo xtask test"
                );
                Self::Software(drivers)
            }
            Ok("hardware") => Self::Hardware,
            Ok("none") => Self::None,
            Ok(other) => {
                panic!("unknown demand `{other}` in `{DEMAND}`\nhint: {DEMAND}=software|hardware|none cargo test")
            }
        }
    }
}

/// Runs `body` on the adapter that this process was started for, or on what is demanded: for each software driver in a process
/// of its own. It gets `None` where nothing is demanded.
///
/// `test` is the name of the calling test within its program, modules before it.
///
/// # Panics
/// As [`Demand::of_environment`] does, where a process cannot be started, and where the test fails in one: with what it said.
pub fn on_each_adapter(test: &str, body: impl FnOnce(Option<&AdapterRequest>)) {
    if let Ok(driver) = env::var(DRIVER) {
        return body(Some(&software(&driver)));
    }
    match Demand::of_environment() {
        Demand::Software(drivers) => drivers.iter().for_each(|driver| in_process_of(driver, test)),
        Demand::Hardware => body(Some(&hardware())),
        Demand::None => body(None),
    }
}

/// The same for a test that is of devices alone: where nothing is demanded, it says that it was not run.
///
/// # Panics
/// As [`on_each_adapter`] does.
pub fn on_each_driver(test: &str, body: impl FnOnce(&AdapterRequest)) {
    on_each_adapter(test, |request| match request {
        Some(request) => body(request),
        None => println!("`{test}` was not run: `{DEMAND}` demands no device"),
    });
}

/// The program, seeing this driver and no other; `private` is a folder that nobody else writes to.
pub fn seeing<'a>(program: &'a mut Command, driver: &Driver, private: &Path) -> &'a mut Command {
    let libraries = env::join_paths(&driver.libraries).unwrap_or_else(|error| panic!("`{}`: {error}", driver.name));
    program
        .env("VK_DRIVER_FILES", &driver.icd)
        .env("VK_ICD_FILENAMES", &driver.icd)
        .env("LD_LIBRARY_PATH", libraries)
        .env("XDG_RUNTIME_DIR", private)
        .env("LVP_POISON_MEMORY", "true")
}

/// What a process that sees only `driver` must find there.
fn software(driver: &str) -> AdapterRequest {
    let (name, driver) = match driver {
        "lavapipe" => ("llvmpipe*", "llvmpipe"),
        "swiftshader" => ("SwiftShader*", "SwiftShader*"),
        other => panic!("no test knows the adapter of driver `{other}`"),
    };
    request(Backend::Vulkan, vec![DeviceKind::Cpu], name, driver)
}

/// The GPU of this machine, by the API of its system.
fn hardware() -> AdapterRequest {
    let backend = if cfg!(target_os = "macos") {
        Backend::Metal
    } else if cfg!(windows) {
        Backend::Dx12
    } else {
        Backend::Vulkan
    };
    request(backend, vec![DeviceKind::Discrete, DeviceKind::Integrated], "*", "*")
}

fn request(backend: Backend, kinds: Vec<DeviceKind>, name: &str, driver: &str) -> AdapterRequest {
    AdapterRequest {
        backend,
        kinds,
        name: name.to_owned(),
        driver: driver.to_owned(),
    }
}

fn in_process_of(driver: &Driver, test: &str) {
    let run = || -> std::io::Result<Output> {
        let private = tempfile::tempdir()?;
        seeing(&mut Command::new(env::current_exe()?), driver, private.path())
            .args([test, "--exact", "--nocapture", "--test-threads=1"])
            .env(DRIVER, &driver.name)
            .env_remove("RUST_BACKTRACE")
            .output()
    };
    let output = run().unwrap_or_else(|error| panic!("start `{test}` again: {error}"));
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (said(&output.stdout), said(&output.stderr));
    // A name that no test has is no failure in the eyes of the test harness.
    let passed = output.status.success() && out.contains("1 passed");
    assert!(passed, "on `{}` ({}):\n{out}\n{err}", driver.name, output.status);
    println!("on `{}`:\n{out}", driver.name);
}
