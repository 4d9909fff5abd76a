//! Opens what `ISOBIT_TESTS` demands, a process for each software driver, and compares both twins with the reference.

use std::env;
use std::process::Command;

use isobit::compare::compare;
use isobit::execution::{AdapterRequest, Backend as Api, DeviceKind};
use isobit::format::{Depth, Format, Layout};
use isobit::frame::Input;
use isobit::kernel::Kernel;
use isobit::tolerance::Rule;
use isobit_gate::args::Driver;
use isobit_wgpu::backend::{Backend, Opened};

use crate::demand::{DEMAND, Demand, seeing};

/// Names the driver in a process that was started for one.
const DRIVER: &str = "ISOBIT_TEST_DRIVER";

/// Declares a test that gets each backend that is demanded, open.
macro_rules! backend_test {
    ($name:ident, $body:expr) => {
        #[test]
        fn $name() {
            $crate::harness::on_each_backend(stringify!($name), $body);
        }
    };
}
pub(crate) use backend_test;

/// Runs `body` on the driver that this process was started for, or on what is demanded.
pub fn on_each_backend(test: &str, body: fn(&mut Opened)) {
    if let Ok(driver) = env::var(DRIVER) {
        return body(&mut open(Backend::Lane(software(&driver))));
    }
    match Demand::of_environment() {
        Demand::Software(drivers) => drivers.iter().for_each(|driver| in_process_of(driver, test)),
        Demand::Hardware => body(&mut open(Backend::Lane(hardware()))),
        Demand::None => body(&mut open(Backend::Cpu)),
    }
}

fn open(backend: Backend) -> Opened {
    backend
        .open()
        .unwrap_or_else(|error| panic!("`{DEMAND}` demands an adapter: {error}"))
}

fn software(driver: &str) -> AdapterRequest {
    let (name, driver) = match driver {
        "lavapipe" => ("llvmpipe*", "llvmpipe"),
        "swiftshader" => ("SwiftShader*", "SwiftShader*"),
        other => panic!("no test knows the adapter of driver `{other}`"),
    };
    request(vec![DeviceKind::Cpu], name, driver, Api::Vulkan)
}

fn hardware() -> AdapterRequest {
    let api = if cfg!(target_os = "macos") {
        Api::Metal
    } else if cfg!(windows) {
        Api::Dx12
    } else {
        Api::Vulkan
    };
    request(vec![DeviceKind::Discrete, DeviceKind::Integrated], "*", "*", api)
}

fn request(kinds: Vec<DeviceKind>, name: &str, driver: &str, backend: Api) -> AdapterRequest {
    AdapterRequest {
        backend,
        kinds,
        name: name.to_owned(),
        driver: driver.to_owned(),
    }
}

fn in_process_of(driver: &Driver, test: &str) {
    let output = seeing(&mut Command::new(env::current_exe().unwrap()), driver)
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env(DRIVER, &driver.name)
        .output()
        .unwrap();
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (said(&output.stdout), said(&output.stderr));
    assert!(
        output.status.success() && out.contains("1 passed"),
        "on `{}` ({}):\n{out}\n{err}",
        driver.name,
        output.status
    );
    println!("{}:\n{out}", driver.name);
}

/// `kernel` with options set.
pub fn kernel(kernel: &Kernel, options: &[(&str, &str)]) -> Kernel {
    let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    kernel
        .with_options(&options.iter().map(owned).collect::<Vec<_>>())
        .unwrap()
}

/// An absolute bound, and one relative to the reference.
pub const fn within(abs: f64, rel: f64) -> Rule {
    Rule::AbsRel { abs, rel }
}

/// The fixture as the kernel's input, in f32 and at ten bits, in each layout that both have.
pub fn input(kernel: &Kernel, fixture: &str) -> impl Iterator<Item = Input> {
    let fixture = isobit_fixtures::named(fixture).unwrap();
    let (accepts, clips) = (kernel.accepts, kernel.clips);
    [Depth::F32, Depth::U10].into_iter().flat_map(move |depth| {
        let formats = [Layout::Mono, Layout::Rgb, Layout::Bayer].map(|layout| Format::new(layout, depth));
        let accepted = formats.into_iter().filter(move |&format| accepts(format));
        accepted.filter_map(move |format| fixture.input(format, clips))
    })
}

/// Compares both twins with the reference, the exact one bit for bit, the native one by the rule that `bound` has for each
/// metric, given without options, and prints the worst difference.
pub fn check(opened: &mut Opened, kernel: &Kernel, fixture: &str, bound: impl Fn(&str) -> Rule) {
    let mut compared = 0;
    for input in input(kernel, fixture) {
        let reference = kernel.compute(&input).unwrap();
        for twin in ["exact", "native"] {
            let (outputs, receipt) = opened.run(kernel, twin, &input).unwrap();
            assert_eq!(receipt.fallen_back(), None);
            for metric in kernel.metrics {
                let base = metric.name.trim_end_matches(kernel.options.suffix().as_str());
                let rule = if twin == "exact" { Rule::EXACT } else { bound(base) };
                let found = compare(metric, &reference, &outputs, &rule).unwrap();
                let what = format!(
                    "{}/{twin} {} {} {fixture}",
                    kernel.name,
                    metric.name,
                    input.shape().format
                );
                println!("{what}: at most {:e} off", found.max_abs);
                assert_eq!(found.mismatches, 0, "{what} under {rule}: {:?}", found.worst);
                compared += found.elements;
            }
        }
    }
    assert!(
        compared > 0,
        "`{}` was compared with nothing on `{fixture}`",
        kernel.name
    );
}
