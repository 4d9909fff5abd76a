//! Runs a test again in one process for each driver, and makes inputs.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use std::{env, fs};

use isobit::execution::{AdapterRequest, Backend, BufferFault, DeviceKind, Execution, FaultKind};
use isobit::format::{Depth, Format, Layout};
use isobit::frame::{Clip, ClipShape, Frame, Input, Plane};
use isobit::plan::Plan;
use isobit_wgpu::Executor;
use serde_json::Value;

/// Where the list of drivers is: a JSON array of objects with `name`, `icd` and `libraries`.
const DRIVERS: &str = "ISOBIT_TEST_DRIVERS";
/// Names the driver in a process that was started for one.
const DRIVER: &str = "ISOBIT_TEST_DRIVER";
/// Long enough for a slow machine to compile a small shader.
pub const LIMIT: Duration = Duration::from_secs(30);

/// Declares a test that gets the request for the adapter of each driver in turn.
macro_rules! device_test {
    ($name:ident, $body:expr) => {
        #[test]
        fn $name() {
            $crate::harness::on_each_driver(concat!(module_path!(), "::", stringify!($name)), $body);
        }
    };
}
pub(crate) use device_test;

/// Runs `body` for the driver that this process was started for, or starts one such process for each driver. `path` is the
/// test's own path.
pub fn on_each_driver(path: &str, body: fn(&AdapterRequest)) {
    if let Ok(driver) = env::var(DRIVER) {
        return body(&request(&driver));
    }
    let list = env::var(DRIVERS).unwrap_or_else(|_| {
        panic!("this test needs graphics drivers, and `{DRIVERS}` names none\nhint: cargo xtask test")
    });
    let drivers: Vec<Value> = serde_json::from_str(&fs::read_to_string(&list).unwrap()).unwrap();
    assert!(!drivers.is_empty(), "`{list}` lists no driver");
    let (_, test) = path.split_once("::").unwrap();
    for driver in drivers {
        let text = |key: &str| driver[key].as_str().unwrap().to_owned();
        let libraries = driver["libraries"]
            .as_array()
            .unwrap()
            .iter()
            .map(|folder| folder.as_str().unwrap());
        let output = Command::new(env::current_exe().unwrap())
            .args([test, "--exact", "--nocapture", "--test-threads=1"])
            .env(DRIVER, text("name"))
            .env("VK_DRIVER_FILES", text("icd"))
            .env("VK_ICD_FILENAMES", text("icd"))
            .env("LD_LIBRARY_PATH", env::join_paths(libraries.map(Path::new)).unwrap())
            .env("XDG_RUNTIME_DIR", env!("CARGO_TARGET_TMPDIR"))
            .env_remove("RUST_BACKTRACE")
            .env("LVP_POISON_MEMORY", "true")
            .output()
            .unwrap();
        let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (said(&output.stdout), said(&output.stderr));
        let passed = output.status.success() && out.contains("1 passed");
        assert!(passed, "on `{}` ({}):\n{out}\n{err}", text("name"), output.status);
    }
}

fn request(driver: &str) -> AdapterRequest {
    let (name, driver, kind) = match driver {
        "lavapipe" => ("llvmpipe*", "llvmpipe", DeviceKind::Cpu),
        "swiftshader" => ("SwiftShader*", "SwiftShader*", DeviceKind::Cpu),
        other => panic!("no test knows the adapter of driver `{other}`"),
    };
    AdapterRequest {
        backend: Backend::Vulkan,
        kinds: vec![kind],
        name: name.to_owned(),
        driver: driver.to_owned(),
    }
}

/// A mono clip whose every stored byte, padding included, is a function of its position and its frame.
pub fn mono(depth: Depth, width: u32, height: u32, padding: usize, frames: usize) -> Input {
    let shape = ClipShape::padded(Format::new(Layout::Mono, depth), width, height, padding);
    let frame = |frame: usize| {
        let bytes = (0..shape.frame_bytes())
            .map(|i| (i * 7 + frame * 13 + 1) as u8)
            .collect();
        let plane = Plane::new(shape.planes[0], depth, bytes).unwrap();
        Frame { planes: vec![plane] }
    };
    let clip = Clip::new(shape.clone(), (0..frames).map(frame).collect()).unwrap();
    Input::new(vec![clip]).unwrap()
}

/// One frame of four bytes, for plans that need no input.
pub fn nothing() -> Input {
    mono(Depth::U8, 4, 1, 0, 1)
}

/// Runs `plan`, which must come to its end.
pub fn run(request: &AdapterRequest, plan: &Plan, input: &Input) -> Execution {
    Executor::open(request).unwrap().run(plan, input, LIMIT).unwrap()
}

/// Kind, buffer, count and first of each fault.
pub fn summary(faults: &[BufferFault]) -> Vec<(FaultKind, &str, u64, u64)> {
    faults
        .iter()
        .map(|fault| (fault.kind, fault.buffer.as_str(), fault.count, fault.first))
        .collect()
}
