//! A registry for tests: a kernel that inverts codes, with a control, and the configuration that goes with it.

use std::collections::BTreeMap;

use isobit::execution::{AdapterFacts, AdapterRequest, Backend, DeviceKind};
use isobit::format::{Depth, Format, Layout};
use isobit::frame::Input;
use isobit::kernel::{
    Control, Finish, Kernel, KernelError, Metric, MetricKind, NanPolicy, Registry, Route, Symptom, Twin, Window,
};
use isobit::options::{KernelOption, Options};
use isobit::output::{Output, Values};
use isobit::plan::Plan;
use isobit::tolerance::Rule;
use isobit::work::{Receipt, Work};

use crate::cell::Cell;
use crate::config::{Config, Entries, Fragment, Grid, Lane, Matrix, Program, RuleRow};
use crate::manifest::Manifest;
use crate::report::{CellReport, Host, LaneReport, RunTiming};
use crate::resolve::rules;
use crate::summary::RunFacts;
use crate::verdict::judge;

/// A fixture with integer samples in yuv420, small.
pub const FIXTURE: &str = "tiny_7x5";
/// The format that the toys take.
pub const FORMAT: Format = Format::new(Layout::Yuv420, Depth::U8);
/// A second one.
pub const DEEP: Format = Format::new(Layout::Yuv420, Depth::U16);

const METRICS: &[Metric] = &[
    Metric {
        name: "inverse",
        kind: MetricKind::Plane(None),
        nan: NanPolicy::Never,
    },
    Metric {
        name: "mean",
        kind: MetricKind::Score,
        nan: NanPolicy::Never,
    },
];

const OPTIONS: &[KernelOption] = &[KernelOption::integer(
    "offset",
    "o",
    "What is added to every inverse.",
    0,
    [0, 9],
)];

const fn twin(name: &'static str, routes: &'static [Route]) -> Twin {
    Twin {
        name,
        routes,
        work: Work::Frame(|shape, _| Ok(Plan::new("// nothing").output("out", u64::from(shape.width), 4))),
        finish: Finish::Frame(|_, _, _, _| Ok(Vec::new())),
        stages: None,
    }
}

const fn kernel(name: &'static str, twins: &'static [Twin]) -> Kernel {
    Kernel {
        name,
        summary: "the inverse of each luma code, and the mean of all",
        clips: 1,
        metrics: METRICS,
        options: Options::of(OPTIONS),
        window: Window::FRAME,
        accepts: |format| format == FORMAT || format == DEEP,
        refuses: |shape| (shape.width == 1 && shape.height == 1).then(|| "a single sample has no inverse".to_owned()),
        reference,
        twins,
    }
}

fn reference(input: &Input, options: &Options) -> Result<Vec<Output>, KernelError> {
    let offset = options.integer("offset") as u32;
    let frames = (0..input.frames()).flat_map(|frame| {
        let plane = input.plane(0, frame, 0);
        let shape = plane.shape();
        let max = input.shape().format.depth.max_code().unwrap_or(1);
        let inverse: Vec<u32> = (0..shape.height)
            .flat_map(|y| plane.codes(y).map(move |c| max - c + offset))
            .collect();
        let mean = inverse.iter().map(|&c| f64::from(c)).sum::<f64>() / inverse.len() as f64;
        let plane = Output {
            metric: "inverse",
            frame,
            plane: 0,
            width: shape.width,
            height: shape.height,
            values: Values::U32(inverse),
        };
        [plane, Output::score("mean", frame, mean)]
    });
    Ok(frames.collect())
}

pub static KERNELS: &[Kernel] = &[
    kernel(
        "invert",
        &[twin("exact", &[Route::Integer, Route::Host]), twin("native", &[])],
    ),
    kernel("revert", &[twin("exact", &[Route::Integer])]),
];

pub static CONTROLS: &[Control] = &[Control {
    kernel: kernel("off_by_one", &[twin("sound", &[]), twin("broken", &[])]),
    fixtures: &[FIXTURE],
    formats: &[FORMAT, DEEP],
    symptom: |format| {
        if format == FORMAT {
            Symptom::OneCode
        } else {
            Symptom::None
        }
    },
}];

pub const REGISTRY: Registry = Registry {
    kernels: KERNELS,
    controls: CONTROLS,
};

/// One row for both metrics.
pub fn row(rule: Rule) -> RuleRow {
    RuleRow {
        metrics: vec!["inverse".to_owned(), "mean".to_owned()],
        rule,
        area: None,
        reason: "a toy".to_owned(),
    }
}

/// Entries of one twin.
pub fn entries(kernel: &str, twin: &str, rows: Vec<RuleRow>) -> Entries {
    Entries(BTreeMap::from([(
        kernel.to_owned(),
        BTreeMap::from([(twin.to_owned(), rows)]),
    )]))
}

fn lane(name: &str, default: bool) -> Lane {
    Lane {
        name: name.to_owned(),
        summary: String::new(),
        adapter: AdapterRequest {
            backend: Backend::Vulkan,
            kinds: vec![DeviceKind::Cpu],
            name: format!("{name} device*"),
            driver: "*".to_owned(),
        },
        driver: None,
        environment: BTreeMap::new(),
        default,
        timeout_s: 60,
        worker: None,
        left_out: None,
        releases: Vec::new(),
        release: None,
    }
}

/// Makes the worker of `lane` a program that a machine may be unable to start.
pub fn give_worker(config: &mut Config, lane: &str) {
    for lane in config.matrix.lanes.iter_mut().filter(|known| known.name == lane) {
        lane.worker = Some(Program {
            package: "p".into(),
            main: "main.mjs".into(),
        });
    }
}

/// Two lanes that run by default, one that does not, and a gate entry for every twin.
pub fn config() -> Config {
    let mut gate = entries("invert", "exact", vec![row(Rule::EXACT)]);
    let native = vec![row(Rule::Abs { abs: 2.0 })];
    gate.0
        .entry("invert".to_owned())
        .or_default()
        .insert("native".to_owned(), native);
    gate.0.extend(entries("revert", "exact", vec![row(Rule::EXACT)]).0);
    Config {
        matrix: Matrix {
            lanes: vec![lane("one", true), lane("two", true), lane("far", false)],
            quick: Grid {
                fixtures: vec![FIXTURE.to_owned()],
                depths: vec![Depth::U8],
            },
            ..Matrix::default()
        },
        gate,
        ..Config::default()
    }
}

/// A fragment that lists the exact twin of a kernel.
pub fn fragment(kernel: &str, lane: &str) -> Fragment {
    Fragment {
        kernel: kernel.to_owned(),
        lane: lane.to_owned(),
        twin: "exact".to_owned(),
        adr: vec!["0001".to_owned()],
        routes: vec!["integer".to_owned(), "host".to_owned()],
        evidence: "measured".to_owned(),
    }
}

/// The adapter that lane `lane` asks for.
pub fn facts(lane: &str) -> AdapterFacts {
    AdapterFacts {
        backend: Backend::Vulkan,
        kind: DeviceKind::Cpu,
        name: format!("{lane} device 7"),
        driver: "toy".to_owned(),
        driver_info: "1.2".to_owned(),
        vendor: 0,
        device: 0,
        compiler: "toyc 3".to_owned(),
        limits: BTreeMap::new(),
    }
}

/// What the reference of a cell yields.
pub fn outputs(cell: &Cell) -> Vec<Output> {
    let input = isobit_fixtures::named(cell.source.name())
        .and_then(|fixture| fixture.input(cell.format, cell.kernel.clips))
        .unwrap();
    cell.kernel.compute(&input).unwrap()
}

/// Outputs in which one code of each frame is larger by one.
pub fn off_by_one(outputs: &[Output]) -> Vec<Output> {
    let mut outputs = outputs.to_vec();
    for output in &mut outputs {
        if let Values::U32(codes) = &mut output.values {
            codes[3] += 1;
        }
    }
    outputs
}

/// What a sound executor reports for a cell.
pub fn sound(config: &Config, cell: &Cell) -> CellReport {
    let reference = outputs(cell);
    let bites = cell.control.is_some() && cell.twin.name == "broken" && cell.format == FORMAT;
    let twin = if bites {
        off_by_one(&reference)
    } else {
        reference.clone()
    };
    let rules = rules(config, cell, &facts(&cell.lane), &[]).unwrap();
    judge(cell, &rules, &reference, &twin, Vec::new(), Receipt::default())
}

/// Sound reports for every cell that is to run.
pub fn sound_run(config: &Config, manifest: &Manifest) -> Vec<CellReport> {
    let run = manifest.cells.iter().filter(|cell| cell.skip.is_none());
    run.map(|cell| sound(config, cell)).collect()
}

/// What a run on the lanes of `manifest` knows.
pub fn run_facts(manifest: &Manifest) -> RunFacts {
    let lanes = manifest.lanes().into_iter().map(|name| LaneReport {
        name: name.to_owned(),
        environment: "host".to_owned(),
        icd: None,
        image: None,
        adapter: Some(facts(name)),
        probes: Vec::new(),
        error: None,
        left_out: None,
        restarts: 0,
    });
    RunFacts {
        commit: None,
        host: Host {
            os: "toy".to_owned(),
            arch: "toy".to_owned(),
            cpu: "toy".to_owned(),
            cores: 1,
        },
        hold_exact: Vec::new(),
        interrupted: None,
        lanes: lanes.collect(),
        faults: Vec::new(),
        timing: RunTiming::default(),
    }
}
