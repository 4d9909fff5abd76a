//! The probes against devices made of plain functions: a perfect one, and one for each fault.

use isobit::execution::{BufferFault, Execution, ExecutionError, FaultKind, Readback};

use super::arithmetic::Expected;
use super::*;

/// What a perfect device leaves, by buffer.
fn perfect(plan: &Plan) -> Execution {
    let words = |words: Vec<u32>| words.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
    let mut readback = Readback::default();
    if plan.buffers.contains_key("results") {
        let samples: Vec<_> = (0..arithmetic::SAMPLES).map(arithmetic::sample).collect();
        let sums = samples.iter().map(|sample| sample.sum.twice.to_bits());
        let fused = samples.iter().map(|sample| sample.fma.once.to_bits());
        let plain = (0..8).flat_map(|probe| samples.iter().map(move |sample| sample.plain[probe].to_bits()));
        let probes = sums.chain(fused).chain(plain);
        let nan = std::iter::repeat_n(1, arithmetic::SAMPLES as usize);
        readback
            .buffers
            .insert("results".to_owned(), words(probes.chain(nan).collect()));
    } else {
        let sums = vec![machine::SUM; machine::GROUPS as usize];
        readback.buffers.insert("returned".to_owned(), machine::pattern());
        readback.buffers.insert("sums".to_owned(), words(sums));
        readback
            .buffers
            .insert("rounds".to_owned(), words(vec![machine::ROUNDS]));
    }
    Execution {
        frames: vec![readback],
        ..Execution::default()
    }
}

/// The reports of a perfect device but for `spoil`.
fn spoilt(spoil: impl Fn(&mut Execution)) -> Vec<ProbeReport> {
    run(&mut |plan, _| {
        let mut execution = perfect(plan);
        spoil(&mut execution);
        Ok(execution)
    })
}

/// Sets the little-endian word `index` of a buffer, where there is that buffer.
fn set_word(execution: &mut Execution, buffer: &str, index: usize, word: u32) {
    if let Some(bytes) = execution.frames[0].buffers.get_mut(buffer) {
        bytes[index * 4..][..4].copy_from_slice(&word.to_le_bytes());
    }
}

#[track_caller]
fn finding(reports: &[ProbeReport], name: &str) -> (String, bool) {
    let report = reports.iter().find(|report| report.name == name).unwrap();
    (report.finding.clone(), report.broken)
}

#[test]
fn a_perfect_device_has_nothing_broken() {
    let reports = spoilt(|_| {});
    assert_eq!(reports.len(), 12);
    assert!(reports.iter().all(|report| !report.broken));
    assert_eq!(finding(&reports, "multiply-add").0, "a*b+c is rounded twice");
    assert_eq!(finding(&reports, "fma").0, "fma(a, b, c) is fused");
    assert_eq!(finding(&reports, "subnormals").0, "inputs kept, results kept");
    assert_eq!(finding(&reports, "division").0, "correctly rounded");
    assert_eq!(finding(&reports, "loop").0, "runs its 70000 iterations");
}

#[test]
fn wrong_memory_and_barriers_break_the_lane() {
    let reports = spoilt(|execution| set_word(execution, "returned", 9, 0));
    assert_eq!(
        finding(&reports, "read-back"),
        ("4 of 65536 bytes came back changed".to_owned(), true)
    );
    let reports = spoilt(|execution| set_word(execution, "sums", 3, 1056));
    let (said, broken) = finding(&reports, "reduction");
    assert!(
        broken && said.ends_with("wrong in 1 of 256 workgroups: 1056, not 2080"),
        "{said}"
    );
}

#[test]
fn a_loop_that_ends_early_is_only_noted() {
    let reports = spoilt(|execution| set_word(execution, "rounds", 0, 65_535));
    assert_eq!(
        finding(&reports, "loop"),
        ("loops end after 65535 iterations, silently".to_owned(), false)
    );
}

#[test]
fn deviating_arithmetic_is_named() {
    let at = |probe: u32, index: u32| (probe * arithmetic::SAMPLES + index) as usize;
    let fuse = |execution: &mut Execution| {
        for i in 0..arithmetic::SAMPLES {
            set_word(execution, "results", at(0, i), arithmetic::sample(i).sum.once.to_bits());
        }
    };
    assert_eq!(finding(&spoilt(fuse), "multiply-add").0, "a*b+c is fused");

    let off = |execution: &mut Execution| {
        set_word(
            execution,
            "results",
            at(5, 7),
            arithmetic::sample(7).plain[3].to_bits() + 2,
        );
        set_word(
            execution,
            "results",
            at(3, 7),
            arithmetic::sample(7).plain[1].to_bits() + 1,
        );
    };
    let reports = spoilt(off);
    assert_eq!(finding(&reports, "division").0, "up to 2 ULP off, in 1 of 65536");
    assert_eq!(finding(&reports, "seal").0, "sealing does not hold: 1 of 131072 differ");

    let flush = |execution: &mut Execution| {
        for i in 0..arithmetic::SAMPLES {
            set_word(execution, "results", at(9, i), 0);
            set_word(execution, "results", at(10, i), 0);
        }
    };
    let reports = spoilt(flush);
    assert_eq!(
        finding(&reports, "subnormals").0,
        "inputs kept, results flushed to zero (65536 of 65536)"
    );
    assert_eq!(finding(&reports, "nan").0, "x != x never tells a NaN");
}

#[test]
fn an_execution_that_fails_breaks_its_probes() {
    let reports = run(&mut |_, _| Err(ExecutionError::Timeout { seconds: 9 }));
    assert_eq!(reports.len(), 12);
    let timeout = ("the device did not finish within 9 s".to_owned(), true);
    assert!(
        reports
            .iter()
            .all(|report| (report.finding.clone(), report.broken) == timeout)
    );
}

#[test]
fn faults_and_missing_frames_break_the_probes() {
    let fault = |execution: &mut Execution| {
        execution.faults.push(BufferFault {
            frame: 0,
            buffer: "sums".to_owned(),
            kind: FaultKind::Untouched,
            count: 3,
            first: 5,
        });
    };
    assert!(
        spoilt(fault)
            .iter()
            .all(|report| report.broken && report.finding.contains("`sums`"))
    );
    assert!(
        spoilt(|execution| execution.frames.clear())
            .iter()
            .all(|report| report.broken)
    );
    assert!(
        spoilt(|execution| execution.frames[0].buffers.clear())
            .iter()
            .all(|report| report.broken)
    );
}

#[test]
fn the_samples_stay_in_the_normal_range() {
    for i in 0..arithmetic::SAMPLES {
        let Expected { sum, fma, plain } = arithmetic::sample(i);
        let normal = |x: &f32| *x == 0.0 || x.is_normal();
        assert!(
            [sum.twice, sum.once, fma.twice, fma.once].iter().all(normal),
            "sample {i}"
        );
        assert!(plain[..7].iter().all(normal), "sample {i}: {plain:?}");
        assert!(!plain[7].is_normal(), "sample {i} of the sunk: {}", plain[7]);
    }
}
