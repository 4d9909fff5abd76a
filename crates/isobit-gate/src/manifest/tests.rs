//! What is selected, in which order, and what is refused.

use isobit::format::{Depth, Format, Layout};
use isobit::frame::ClipShape;
use isobit::kernel::Symptom;
use isobit_fixtures::Fixture;

use super::*;
use crate::toy;

fn plan(args: &RunArgs) -> Result<Manifest, SelectionError> {
    Manifest::plan(&toy::REGISTRY, &toy::config(), args, None)
}

fn matrix() -> RunArgs {
    RunArgs {
        matrix: true,
        ..RunArgs::default()
    }
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn names(manifest: &Manifest) -> Vec<String> {
    manifest.cells.iter().map(Cell::to_string).collect()
}

#[test]
fn the_quick_set_is_the_grid_and_the_controls() {
    let manifest = plan(&RunArgs::default()).unwrap();
    assert_eq!(
        names(&manifest),
        [
            "off_by_one/sound yuv420-8 tiny_7x5 one",
            "off_by_one/sound yuv420-8 tiny_7x5 two",
            "off_by_one/broken yuv420-8 tiny_7x5 one",
            "off_by_one/broken yuv420-8 tiny_7x5 two",
            "off_by_one/sound yuv420-16 tiny_7x5 one",
            "off_by_one/sound yuv420-16 tiny_7x5 two",
            "off_by_one/broken yuv420-16 tiny_7x5 one",
            "off_by_one/broken yuv420-16 tiny_7x5 two",
            "invert/exact yuv420-8 tiny_7x5 one",
            "invert/exact yuv420-8 tiny_7x5 two",
            "invert/native yuv420-8 tiny_7x5 one",
            "invert/native yuv420-8 tiny_7x5 two",
            "revert/exact yuv420-8 tiny_7x5 one",
            "revert/exact yuv420-8 tiny_7x5 two",
        ]
    );
}

#[test]
fn all_lanes_meet_the_same_cases_in_the_same_order() {
    let manifest = plan(&matrix()).unwrap();
    let of = |lane: &str| -> Vec<_> {
        let cells = manifest.cells.iter().filter(|cell| cell.lane == lane);
        cells.map(|cell| (cell.case(), cell.twin.name)).collect()
    };
    assert_eq!(manifest.lanes(), ["one", "two"]);
    assert_eq!(of("one"), of("two"));
    let first_real = manifest.cells.iter().position(|cell| cell.control.is_none()).unwrap();
    assert!(manifest.cells[first_real..].iter().all(|cell| cell.control.is_none()));
    let unique: BTreeSet<_> = names(&manifest).into_iter().collect();
    assert_eq!(unique.len(), manifest.cells.len());
    // Every fixture of a single clip in every format that the kernel takes.
    let fixtures = isobit_fixtures::all().iter().filter(|fixture| !fixture.is_pair());
    let expected: usize = fixtures
        .map(|f| f.formats().filter(|f| [toy::FORMAT, toy::DEEP].contains(f)).count())
        .sum();
    let revert = manifest
        .cells
        .iter()
        .filter(|c| c.kernel.name == "revert" && c.lane == "one");
    assert_eq!(revert.count(), expected);
}

#[test]
fn a_shape_that_the_kernel_refuses_is_a_declared_skip() {
    let manifest = plan(&matrix()).unwrap();
    for cell in &manifest.cells {
        let tiny = cell.source.name() == "tiny_1x1";
        assert_eq!(cell.skip.is_some(), tiny, "{cell}");
    }
}

#[test]
fn controls_run_whatever_is_selected() {
    let args = RunArgs {
        kernels: strings(&["revert"]),
        depths: vec![Depth::U16],
        layouts: vec![Layout::Yuv420],
        fixtures: strings(&["odd"]),
        lanes: strings(&["far"]),
        ..matrix()
    };
    let manifest = plan(&args).unwrap();
    let controls = manifest.cells.iter().filter(|cell| cell.control.is_some()).count();
    assert_eq!(controls, 4);
    assert_eq!(names(&manifest)[controls..], ["revert/exact yuv420-16 odd far"]);
}

#[test]
fn what_is_asked_for_by_name_replaces_the_quick_set() {
    let args = RunArgs {
        kernels: strings(&["revert"]),
        fixtures: strings(&["odd"]),
        lanes: strings(&["one"]),
        ..RunArgs::default()
    };
    assert_eq!(
        names(&plan(&args).unwrap()).last().unwrap(),
        "revert/exact yuv420-8 odd one"
    );
}

#[test]
fn unknown_names_are_refused_with_the_nearest() {
    let refused = |args: RunArgs| plan(&args).unwrap_err().to_string();
    let message = refused(RunArgs {
        kernels: strings(&["inverd"]),
        ..matrix()
    });
    let hint = "hint: did you mean `invert`? the valid names are `invert`, `revert`";
    assert_eq!(message, format!("unknown kernel `inverd`\n{hint}"));
    let message = refused(RunArgs {
        lanes: strings(&["lavapipe"]),
        ..matrix()
    });
    assert_eq!(
        message,
        "unknown lane `lavapipe`\nhint: the valid names are `one`, `two`, `far`"
    );
    let message = refused(RunArgs {
        fixtures: strings(&["tiny_7x6"]),
        ..matrix()
    });
    assert!(
        message.contains("unknown fixture `tiny_7x6`\nhint: did you mean `tiny_7x5`?"),
        "{message}"
    );
    let message = refused(RunArgs {
        hold_exact: strings(&["tow"]),
        ..matrix()
    });
    assert!(message.contains("did you mean `two`?"), "{message}");
}

#[test]
fn a_selection_in_which_a_name_has_no_cell_is_refused() {
    let unused = |args: RunArgs, what: &'static str| match plan(&args).unwrap_err() {
        SelectionError::Unused { what: found, .. } => assert_eq!(found, what),
        other => panic!("{other}"),
    };
    let nothing = RunArgs {
        layouts: vec![Layout::Rgb],
        ..matrix()
    };
    assert_eq!(plan(&nothing).unwrap_err(), SelectionError::Nothing);
    let depths = vec![Depth::U8, Depth::F32];
    unused(RunArgs { depths, ..matrix() }, "depth");
    let fixtures = strings(&["odd", "codes"]);
    unused(RunArgs { fixtures, ..matrix() }, "fixture");
    let hold_exact = strings(&["far"]);
    unused(RunArgs { hold_exact, ..matrix() }, "lane");
}

/// The refusal of a command line by a configuration that lists `invert` on lane `one`.
fn refused_to_record(change: impl FnOnce(&mut RunArgs)) -> Option<String> {
    let mut config = toy::config();
    config.fragments.push(toy::fragment("invert", "one"));
    let mut args = RunArgs {
        record: true,
        ..matrix()
    };
    change(&mut args);
    let refusal = Manifest::plan(&toy::REGISTRY, &config, &args, None).err();
    refusal.map(|error| error.to_string())
}

#[test]
fn rows_are_recorded_whole() {
    assert_eq!(refused_to_record(|_| {}), None);
    assert_eq!(refused_to_record(|args| args.kernels = strings(&["invert"])), None);
    type Cut = fn(&mut RunArgs);
    let cuts: [(&str, Cut); 6] = [
        ("`--depths` cuts cells out of them", |args| {
            args.depths = vec![Depth::U8]
        }),
        ("`--layouts` cuts cells out of them", |args| {
            args.layouts = vec![Layout::Yuv420]
        }),
        ("`--fixtures` cuts cells out of them", |args| {
            args.fixtures = strings(&["odd"])
        }),
        ("`--shard` cuts cells out of them", |args| {
            args.shard = "1/2".parse().ok()
        }),
        ("`--option` puts others in their place", |args| {
            args.options = vec![("offset".to_owned(), "1".to_owned())];
        }),
        ("`--env` puts others in their place", |args| {
            args.env = Environment::Docker
        }),
    ];
    for (words, cut) in cuts {
        let error = refused_to_record(cut).unwrap();
        assert!(error.contains(words), "{error}");
        assert!(
            error.contains("\nhint: choose rows by kernel and lane alone"),
            "{error}"
        );
    }
    assert_eq!(
        refused_to_record(|args| args.matrix = false).unwrap(),
        "`--record` is of the matrix, and without `--matrix` the quick set runs\n\
         hint: cargo xtask parity --matrix --record"
    );
}

#[test]
fn what_has_no_row_is_not_recorded() {
    let lacking = |change: fn(&mut RunArgs)| {
        let error = refused_to_record(change).unwrap();
        let start = "`--record` writes the rows of listed twins, and ";
        let lack = error
            .strip_prefix(start)
            .and_then(|rest| rest.split_once(" in this selection\nhint: "));
        lack.unwrap_or_else(|| panic!("{error}")).0.to_owned()
    };
    assert_eq!(
        lacking(|args| args.kernels = strings(&["invert", "revert"])),
        "kernel `revert` has none"
    );
    assert_eq!(
        lacking(|args| args.lanes = strings(&["one", "two"])),
        "lane `two` has none"
    );
    assert_eq!(refused_to_record(|args| args.lanes = strings(&["one"])), None);
    let args = RunArgs {
        record: true,
        ..matrix()
    };
    let lack = "there is none".to_owned();
    assert_eq!(plan(&args).unwrap_err(), SelectionError::Unlisted { lack });
}

#[test]
fn costs_are_of_the_full_matrix() {
    let refused = |change: fn(&mut RunArgs)| {
        let mut args = RunArgs {
            record_costs: true,
            ..matrix()
        };
        change(&mut args);
        plan(&args).unwrap_err()
    };
    let partial = |option| SelectionError::PartialCosts { option };
    assert_eq!(
        refused(|args| args.kernels = strings(&["invert"])),
        partial("--kernels")
    );
    assert_eq!(refused(|args| args.shard = "1/2".parse().ok()), partial("--shard"));
    let flag = "--record-costs";
    assert_eq!(
        refused(|args| args.matrix = false),
        SelectionError::RecordOutside { flag }
    );
}

#[test]
fn clips_take_the_place_of_fixtures() {
    let shape = ClipShape::tight(toy::DEEP, 20, 10);
    let args = RunArgs {
        clip: vec!["a b.y4m".into()],
        lanes: strings(&["one"]),
        ..RunArgs::default()
    };
    let plan = |args: &RunArgs| Manifest::plan(&toy::REGISTRY, &toy::config(), args, Some(&shape));
    let manifest = plan(&args).unwrap();
    assert_eq!(
        names(&manifest)[4..],
        [
            "invert/exact yuv420-16 a b.y4m one",
            "invert/native yuv420-16 a b.y4m one",
            "revert/exact yuv420-16 a b.y4m one"
        ]
    );
    assert_eq!(manifest.cells[4].shape(), Some(shape.clone()));
    // No toy takes a pair.
    let pair = RunArgs {
        clip: vec!["a.y4m".into(), "b.y4m".into()],
        ..args.clone()
    };
    let given = SelectionError::Clips {
        given: 2,
        format: toy::DEEP,
    };
    assert!(given.to_string().ends_with("takes one\nhint: name one: --clip FILE"));
    assert_eq!(plan(&pair).unwrap_err(), given);
    // With the right number there would be none either.
    let shallow = RunArgs {
        depths: vec![Depth::U8],
        ..pair
    };
    assert_eq!(plan(&shallow).unwrap_err(), SelectionError::Nothing);
    let fixtures = strings(&["odd"]);
    assert_eq!(
        plan(&RunArgs { fixtures, ..args }).unwrap_err(),
        SelectionError::ClipAndFixtures
    );
}

#[test]
fn the_hash_is_of_the_cells() {
    let (quick, full) = (plan(&RunArgs::default()).unwrap(), plan(&matrix()).unwrap());
    assert_eq!(full.hash(), plan(&matrix()).unwrap().hash());
    assert_ne!(quick.hash(), full.hash());
    assert_eq!(quick.hash().len(), 64);
    let mut skipped = quick.clone();
    skipped.cells[9].skip = Some("another reason".to_owned());
    assert_ne!(quick.hash(), skipped.hash());
}

#[test]
fn a_control_that_cannot_prove_anything_is_refused() {
    let refused = |change: fn(&mut Control)| {
        let mut control = toy::CONTROLS[0];
        change(&mut control);
        let registry = Registry {
            kernels: toy::KERNELS,
            controls: Box::leak(Box::new([control])),
        };
        match Manifest::plan(&registry, &toy::config(), &RunArgs::default(), None).unwrap_err() {
            SelectionError::Control { reason, .. } => reason,
            other => panic!("{other}"),
        }
    };
    assert_eq!(refused(|c| c.fixtures = &["nowhere"]), "there is no fixture `nowhere`");
    assert_eq!(
        refused(|c| c.fixtures = &["codes"]),
        "fixture `codes` exists in none of its formats"
    );
    assert!(refused(|c| c.kernel.twins = toy::KERNELS[0].twins).contains("not `sound` and `broken`"));
    assert_eq!((toy::CONTROLS[0].symptom)(toy::DEEP), Symptom::None);
}

#[test]
fn a_separate_grid_runs_alone_and_the_matrix_without_it() {
    let kernel = Kernel {
        clips: 2,
        accepts: |_| true,
        ..toy::KERNELS[0]
    };
    let grids_of = |grid| -> BTreeSet<_> { cases_of(&kernel, grid).map(|(fixture, ..)| fixture.grid()).collect() };
    assert_eq!(grids_of(None), BTreeSet::from([None]));
    assert_eq!(grids_of(Some("8k")), BTreeSet::from([Some("8k")]));
    let error = plan(&RunArgs {
        grid: Some("16k".to_owned()),
        ..RunArgs::default()
    });
    assert_eq!(
        error.unwrap_err().to_string(),
        "unknown grid `16k`\nhint: the valid names are `8k`"
    );
}

#[test]
fn a_fixture_for_variants_is_shown_by_those_that_name_it_alone() {
    let kernel = Kernel {
        accepts: |_| true,
        ..toy::KERNELS[0]
    };
    let shown = |cases: &mut dyn Iterator<Item = (&'static Fixture, Format, ClipShape)>| -> BTreeSet<_> {
        cases.map(|(fixture, ..)| fixture.name).collect()
    };
    assert!(isobit_fixtures::named("points").unwrap().is_for_variants());
    assert!(!shown(&mut cases_of(&kernel, None)).contains("points"));
    let asked = strings(&["points", "tiny_7x5"]);
    assert_eq!(
        shown(&mut cases_named(&kernel, None, &asked)),
        ["points", "tiny_7x5"].into()
    );
    assert!(shown(&mut cases_named(&kernel, Some("8k"), &asked)).is_empty());
}

/// The toy's lanes, of which `one` has containers of two releases.
fn contained() -> Config {
    let mut config = toy::config();
    config.matrix.releases = ["old", "new"]
        .map(|name| crate::config::Release {
            name: name.to_owned(),
            image: format!("i:{name}"),
            versions: std::collections::BTreeMap::new(),
        })
        .into();
    let one = &mut config.matrix.lanes[0];
    one.driver = Some("soft".to_owned());
    one.releases = strings(&["old", "new"]);
    config.matrix.add_containers().unwrap();
    config
}

#[test]
fn containers_run_where_they_are_asked_for() {
    let chosen = |env, lanes: &[&str], releases: &[&str]| {
        let args = RunArgs {
            env,
            lanes: strings(lanes),
            releases: strings(releases),
            ..RunArgs::default()
        };
        super::lanes(&contained(), &args).map_err(|error| error.to_string())
    };
    let (host, docker) = (Environment::Host, Environment::Docker);
    assert_eq!(chosen(host, &[], &[]).unwrap(), ["one", "two"]);
    assert_eq!(chosen(docker, &[], &[]).unwrap(), ["one@old", "one@new"]);
    assert_eq!(chosen(docker, &["one"], &["new"]).unwrap(), ["one@new"]);
    assert_eq!(chosen(docker, &["one@old"], &[]).unwrap(), ["one@old"]);
    assert_eq!(chosen(host, &["one", "one@new"], &[]).unwrap(), ["one", "one@new"]);
    assert!(chosen(docker, &["two"], &[]).unwrap_err().contains("lane `two`"));
    assert!(
        chosen(docker, &["one@old"], &["new"])
            .unwrap_err()
            .contains("lane `one@old`")
    );
    assert!(
        chosen(docker, &[], &["newer"])
            .unwrap_err()
            .contains("unknown release `newer`")
    );
}

#[test]
fn a_lane_is_held_exact_with_its_containers() {
    let hold = |env, name: &str| {
        let args = RunArgs {
            env,
            hold_exact: strings(&[name]),
            ..RunArgs::default()
        };
        super::lanes(&contained(), &args)
    };
    assert!(hold(Environment::Docker, "one").is_ok());
    assert!(hold(Environment::Docker, "two").is_err());
    assert!(hold(Environment::Host, "one@new").is_err());
}

#[test]
fn containers_are_not_narrowed_outside() {
    let refused = |args: RunArgs| plan(&args).unwrap_err().to_string();
    let outside = refused(RunArgs {
        releases: strings(&["old"]),
        ..matrix()
    });
    assert!(outside.starts_with("`--release` names containers"), "{outside}");
}

#[test]
fn a_lane_that_is_left_out_is_declared_cell_by_cell() {
    let mut config = toy::config();
    let refusal = config.leave_out("one", "no `node`").unwrap_err();
    assert!(refusal.contains("declares no `worker`"), "{refusal}");
    assert!(config.leave_out("moon", "no `node`").is_err());
    toy::give_worker(&mut config, "one");
    config.leave_out("one", "no `node`").unwrap();
    let manifest = Manifest::plan(&toy::REGISTRY, &config, &RunArgs::default(), None).unwrap();
    for cell in &manifest.cells {
        let left_out = cell.skip.as_deref() == Some("no `node`");
        assert_eq!(left_out, cell.lane == "one", "{cell}");
    }
    let whole = plan(&RunArgs::default()).unwrap();
    assert_eq!(names(&manifest), names(&whole));
    assert_ne!(manifest.hash(), whole.hash());
}
