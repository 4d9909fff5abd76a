//! What is recorded, and what makes a record stale.

use camino::Utf8PathBuf;
use isobit::plan::Plan;
use isobit::work::Work;

use super::*;
use crate::args::RunArgs;
use crate::config::Config;
use crate::manifest::Manifest;
use crate::toy;

struct Measured {
    config: Config,
    cells: Vec<CellReport>,
}

fn measured() -> Measured {
    let config = toy::config();
    let args = RunArgs {
        matrix: true,
        kernels: vec!["invert".to_owned()],
        lanes: vec!["one".to_owned()],
        ..RunArgs::default()
    };
    let mut manifest = Manifest::plan(&toy::REGISTRY, &config, &args, None).unwrap();
    // Slow to run through a toy, and no less whole without its numbers.
    let large = |cell: &crate::cell::Cell| cell.source.name() == "large";
    let mut cells: Vec<_> = manifest.cells.iter().filter(|c| large(c)).map(blank).collect();
    manifest.cells.retain(|cell| !large(cell));
    cells.extend(
        manifest
            .cells
            .iter()
            .filter(|c| c.skip.is_some())
            .map(crate::verdict::skip),
    );
    cells.extend(toy::sound_run(&config, &manifest));
    Measured { config, cells }
}

fn blank(cell: &crate::cell::Cell) -> CellReport {
    CellReport {
        status: Status::Ok,
        reason: None,
        ..crate::verdict::error(cell, "")
    }
}

fn kernel() -> &'static Kernel {
    &toy::KERNELS[0]
}

fn fingerprint() -> Fingerprint {
    let reference = Reference::of(kernel()).unwrap();
    Fingerprint::of(kernel(), &kernel().twins[0], &reference).unwrap()
}

fn built(cells: &[CellReport]) -> Result<Record, RecordError> {
    let (kernel, facts) = (kernel(), toy::facts("one"));
    build(kernel, &kernel.twins[0], "one", &facts, fingerprint(), cells)
}

#[test]
fn a_green_row_is_recorded_written_and_read_back() {
    let Measured { config, cells } = measured();
    let record = built(&cells).unwrap();
    assert_eq!(record.elements["tiny_7x5"]["yuv420-8"], 72);
    assert!(!record.elements.contains_key("tiny_1x1"), "skipped");

    let root = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::from_path_buf(root.path().to_owned()).unwrap();
    std::fs::create_dir_all(&root).unwrap();
    let path = write(&root, &record).unwrap();
    assert_eq!(path, "ci/records.d/invert.one.toml");
    let text = std::fs::read_to_string(root.join(path)).unwrap();
    assert!(text.starts_with("# Measured"));
    let mut back: Record = toml::from_str(&text).unwrap();
    (back.kernel, back.lane) = ("invert".to_owned(), "one".to_owned());
    assert_eq!(back, record);
    assert_eq!(
        stale(&back, kernel(), config.lane("one").unwrap(), &fingerprint()),
        None
    );
    std::fs::remove_dir_all(&root).unwrap();
}

#[test]
fn a_row_that_is_not_green_or_not_whole_is_not_recorded() {
    let Measured { mut cells, .. } = measured();
    let index = cells
        .iter()
        .position(|c| c.kernel == "invert" && c.twin == "exact")
        .unwrap();
    for status in [Status::Fail, Status::Xfail, Status::Error] {
        cells[index].status = status;
        let error = built(&cells).unwrap_err();
        assert!(matches!(error, RecordError::NotGreen { .. }), "{error}");
    }
    cells.remove(index);
    assert!(matches!(built(&cells).unwrap_err(), RecordError::Incomplete { .. }));
}

#[test]
fn a_change_is_named() {
    let Measured { config, cells } = measured();
    let record = built(&cells).unwrap();
    let lane = config.lane("one").unwrap();
    let why = |record: &Record| stale(record, kernel(), lane, &fingerprint()).unwrap();
    let changed = |change: fn(&mut Record)| {
        let mut record = record.clone();
        change(&mut record);
        why(&record)
    };
    assert_eq!(
        changed(|r| r.fingerprint.shaders.clear()),
        "the twin's shaders changed since"
    );
    assert_eq!(
        changed(|r| {
            r.fingerprint.plans.clear();
            r.fingerprint.fixtures.clear();
        }),
        "the twin's plans and the fixtures changed since"
    );
    assert_eq!(
        changed(|r| r.fingerprint.references.clear()),
        "the reference's results changed since"
    );
    let missing = changed(|r| {
        r.elements.remove("odd");
    });
    assert_eq!(missing, "`yuv420-8 odd` is in the matrix and was not measured");
    let gone = changed(|r| {
        r.elements
            .insert("gone".to_owned(), BTreeMap::from([("yuv420-8".to_owned(), 1)]));
    });
    assert_eq!(gone, "it holds cells that are no longer in the matrix");
    let moved = changed(|r| r.adapter.name = "two device".to_owned());
    assert!(moved.contains("does not match `one device*`"), "{moved}");
}

#[test]
fn shaders_and_plans_are_told_apart() {
    let mut kernel = *kernel();
    let reference = Reference::of(self::kernel()).unwrap();
    let mut twin = kernel.twins[0];
    twin.work = Work::Frame(|shape, _| Ok(Plan::new("// something").output("out", u64::from(shape.width), 4)));
    kernel.twins = Box::leak(Box::new([twin]));
    let kernel: &'static Kernel = Box::leak(Box::new(kernel));
    let (before, after) = (
        fingerprint(),
        Fingerprint::of(kernel, &kernel.twins[0], &reference).unwrap(),
    );
    assert_ne!(before.shaders, after.shaders);
    assert_eq!(before.plans, after.plans);
}

#[test]
fn references_of_several_kernels_are_those_of_each() {
    // Its cases are some of the others', and it comes first.
    let part: &'static Kernel = Box::leak(Box::new(Kernel {
        accepts: |format| format == toy::DEEP,
        ..toy::KERNELS[0]
    }));
    let kernels: Vec<&'static Kernel> = std::iter::once(part).chain(toy::KERNELS).collect();
    let together: Vec<_> = Reference::of_each(&kernels).into_iter().map(Result::unwrap).collect();
    let alone: Vec<_> = kernels.iter().map(|kernel| Reference::of(kernel).unwrap()).collect();
    assert_eq!(together, alone);
    assert_eq!(Reference::of_each(&[]), []);
}

#[test]
fn a_reference_that_fails_is_named_with_its_case() {
    let mut kernel = *kernel();
    kernel.reference = |_, _| {
        Err(isobit::kernel::KernelError::Unsupported {
            kernel: "invert",
            reason: "it is Sunday".to_owned(),
        })
    };
    let error = Reference::of(Box::leak(Box::new(kernel))).unwrap_err().to_string();
    assert!(
        error.starts_with("`invert/reference` cannot be fingerprinted for `yuv420-8 noise`: "),
        "{error}"
    );
}
