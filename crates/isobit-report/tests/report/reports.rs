//! Reports to render, built by hand.

use std::collections::BTreeMap;

use isobit::compare::{ColourErrors, Comparison, ErrorSummary, Spread, UlpHistogram, Witness};
use isobit::execution::{AdapterFacts, Backend, BufferFault, DeviceKind, FaultKind};
use isobit::format::{Depth, Format, Layout};
use isobit::output::{ElementKind, Value};
use isobit_gate::report::*;

pub const LANES: [&str; 2] = ["lavapipe", "swiftshader"];

/// Every cell `OK`: two kernels of scores, one of planes with two twins, and nine controls.
pub fn green() -> Report {
    let mut cells = Vec::new();
    for control in ["border_mirror", "last_column", "one_ulp"] {
        for twin in ["sound", "broken"] {
            for lane in LANES {
                let mut cell = cell(control, twin, Layout::Mono, Depth::U10, "tiny", lane);
                cell.control = true;
                cell.checks = vec![check("plane", "exact", "control", 35)];
                if twin == "broken" {
                    cell.checks[0].comparison.mismatches = 7;
                    cell.reason = Some("differences within 1 samples of an edge only".to_owned());
                }
                cells.push(cell);
            }
        }
    }
    for kernel in ["psnr", "float_moment"] {
        for fixture in ["scene", "odd"] {
            for layout in Layout::YUV {
                for depth in Depth::INTEGER {
                    for lane in LANES {
                        let mut cell = cell(kernel, "exact", layout, depth, fixture, lane);
                        cell.checks = vec![check("score", "exact", "exact:0001", 12)];
                        cell.scores = vec![score("score")];
                        cells.push(cell);
                    }
                }
            }
        }
    }
    for depth in Depth::ALL {
        for lane in LANES {
            let mut cell = cell("srgb_to_linear", "native", Layout::Rgb, depth, "ramp", lane);
            let mut plane = check("linear", "max(abs 1e-6, rel 1e-5)", "gate", 196_608);
            plane.comparison.max_abs = 1.1920929e-7;
            plane.comparison.max_rel = 4.7e-7;
            plane.comparison.max_ulp = 9;
            plane.comparison.differing = 45_586;
            plane.comparison.ulps = ulps(&[151_022, 41_000, 4_000, 500, 70, 4]);
            let mut colour = check("linear", "ΔE-Oklab 0.001", "gate", 196_608);
            colour.comparison.max_measure = Some(3.2e-7);
            colour.comparison.colour = Some(ColourErrors {
                pixels: 65_536,
                ok: ErrorSummary {
                    max: 3.2e-7,
                    mean: 4.1e-8,
                },
                ciede2000: ErrorSummary {
                    max: 5.5e-5,
                    mean: 7.9e-6,
                },
            });
            cell.checks = vec![plane, colour];
            cells.push(cell);
        }
    }
    Report {
        schema_version: SCHEMA_VERSION,
        isobit_version: "0.1.0".to_owned(),
        commit: Some("0a1b2c3d".to_owned()),
        hosts: vec![Host {
            os: "linux".to_owned(),
            arch: "x86_64".to_owned(),
            cpu: "Example CPU 9000".to_owned(),
            cores: 2,
        }],
        manifest: "3f9a5c1e7b2d4f608a9c".to_owned(),
        configuration: "7c04be12a9d35f68".to_owned(),
        fixtures: BTreeMap::new(),
        shard: None,
        interrupted: None,
        lanes: LANES.map(lane).into(),
        cells,
        faults: Vec::new(),
        timing: RunTiming {
            total_ms: 12_345.0,
            lanes_ms: 300.0,
        },
    }
}

pub fn lane(name: &str) -> LaneReport {
    let lavapipe = name == "lavapipe";
    let text = |a: &str, b: &str| if lavapipe { a } else { b }.to_owned();
    LaneReport {
        name: name.to_owned(),
        environment: "user".to_owned(),
        icd: Some(format!("/repo/target/isobit/{name}/icd.json")),
        image: None,
        adapter: Some(AdapterFacts {
            backend: Backend::Vulkan,
            kind: DeviceKind::Cpu,
            name: text("llvmpipe (LLVM 15.0.6, 256 bits)", "SwiftShader Device (Subzero)"),
            driver: text("llvmpipe", "SwiftShader driver"),
            driver_info: text("Mesa 22.3.6 (LLVM 15.0.6)", "5.0.0"),
            vendor: 0x10005,
            device: 0,
            compiler: "naga 30.0.0".to_owned(),
            limits: BTreeMap::new(),
        }),
        probes: vec![
            probe("fma", &text("a*b+c is not fused", "a*b+c is not fused")),
            probe("subnormals", &text("kept", "flushed to zero, inputs and results")),
            probe(
                "division",
                &text("correctly rounded", "x / constant is off by up to 1 ULP"),
            ),
        ],
        error: None,
        left_out: None,
        restarts: 0,
    }
}

pub fn probe(name: &str, finding: &str) -> ProbeReport {
    ProbeReport {
        name: name.to_owned(),
        finding: finding.to_owned(),
        broken: false,
    }
}

pub fn cell(kernel: &str, twin: &str, layout: Layout, depth: Depth, fixture: &str, lane: &str) -> CellReport {
    CellReport {
        kernel: kernel.to_owned(),
        twin: twin.to_owned(),
        control: false,
        format: Format::new(layout, depth),
        fixture: fixture.to_owned(),
        lane: lane.to_owned(),
        status: Status::Ok,
        reason: None,
        checks: Vec::new(),
        scores: Vec::new(),
        stage: None,
        faults: Vec::new(),
        receipt: Vec::new(),
        timing: CellTiming::default(),
        ran_on: None,
    }
}

pub fn check(metric: &str, tolerance: &str, source: &str, elements: u64) -> Check {
    Check {
        metric: metric.to_owned(),
        tolerance: tolerance.to_owned(),
        source: source.to_owned(),
        comparison: Comparison {
            elements,
            spread: Spread {
                edge_distance_possible: 176,
                ..Spread::default()
            },
            ..Comparison::default()
        },
    }
}

/// A histogram with these counts, the equal pairs first.
#[expect(clippy::unwrap_used, reason = "a histogram is a list of counts")]
fn ulps(counts: &[u64]) -> UlpHistogram {
    serde_json::from_value(counts.into()).unwrap()
}

pub fn score(metric: &str) -> Score {
    Score {
        metric: metric.to_owned(),
        frame: 0,
        reference: "34.123456789012345".to_owned(),
        twin: "34.123456789012345".to_owned(),
    }
}

pub fn witness(plane: usize, x: u32, y: u32, reference: f32, twin: f32) -> Witness {
    let value = |v: f32| Value {
        kind: ElementKind::F32,
        bits: u64::from(v.to_bits()),
    };
    Witness {
        frame: 1,
        plane,
        x,
        y,
        reference: value(reference),
        twin: value(twin),
        ulp: u64::from(reference.to_bits().abs_diff(twin.to_bits())),
        error: f64::from((reference - twin).abs()),
    }
}

/// The cell of `report` with that name, for a test to spoil.
pub fn find<'a>(report: &'a mut Report, name: &str) -> &'a mut CellReport {
    let identity = |c: &CellReport| format!("{}/{} {} {} {}", c.kernel, c.twin, c.format, c.fixture, c.lane);
    report
        .cells
        .iter_mut()
        .find(|cell| identity(cell) == name)
        .unwrap_or_else(|| panic!("no cell `{name}`"))
}

/// A check in which `mismatches` elements within one sample of the edge differ.
pub fn border(elements: u64, mismatches: u64) -> Check {
    let mut check = check("blurred", "exact", "exact:0001", elements);
    let worst = witness(1, 176, 0, 0.5, 0.125);
    check.comparison = Comparison {
        elements,
        mismatches,
        differing: mismatches,
        max_abs: 0.375,
        max_rel: 0.75,
        max_ulp: worst.ulp,
        first: Some(witness(0, 0, 0, 0.25, 0.25000003)),
        worst: Some(worst),
        spread: Spread {
            edge_distance: 0,
            edge_distance_possible: 176,
            first_row: 90,
            even_columns: mismatches / 2,
            odd_columns: mismatches - mismatches / 2,
            below: mismatches / 2,
            ..Spread::default()
        },
        ..Comparison::default()
    };
    check
}

/// One cell fails at its border, on one lane.
pub fn border_failure() -> Report {
    let mut report = green();
    let cell = find(&mut report, "float_moment/exact yuv420-10 odd swiftshader");
    cell.status = Status::Fail;
    cell.reason = Some("1420 of 126021 elements of `blurred` break the rule exact".to_owned());
    cell.checks.push(border(126_021, 1_420));
    cell.faults = vec![BufferFault {
        frame: 1,
        buffer: "sums".to_owned(),
        kind: FaultKind::GuardAfter,
        count: 4,
        first: 0,
    }];
    report
}
