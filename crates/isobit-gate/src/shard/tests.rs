//! That a cut is one: every case in one shard, controls in all, and loads that are near each other.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::args::RunArgs;
use crate::cell::Cell;
use crate::toy;

fn manifest() -> Manifest {
    let args = RunArgs {
        matrix: true,
        ..RunArgs::default()
    };
    Manifest::plan(&toy::REGISTRY, &toy::config(), &args, None).unwrap()
}

fn cost(kernel: &str, lane: &str, cell_ms: f64, sample_ns: f64) -> CellCost {
    CellCost {
        kernel: kernel.to_owned(),
        lane: lane.to_owned(),
        cell_ms,
        sample_ns,
    }
}

fn shard(index: usize, count: usize) -> Shard {
    Shard { index, count }
}

fn cut(manifest: &Manifest, costs: &Costs, count: usize) -> Vec<Manifest> {
    (1..=count)
        .map(|index| take(manifest, costs, shard(index, count)).unwrap())
        .collect()
}

fn real(manifest: &Manifest) -> impl Iterator<Item = &Cell> {
    manifest.cells.iter().filter(|cell| cell.control.is_none())
}

fn load(manifest: &Manifest, costs: &Costs) -> u64 {
    real(manifest).map(|cell| costs.micros(cell)).sum()
}

#[test]
fn a_shard_is_written_as_a_fraction() {
    assert_eq!("2/3".parse(), Ok(shard(2, 3)));
    assert_eq!(shard(2, 3).to_string(), "2/3");
    for wrong in [
        "0/3", "4/3", "3", "1/0", "1/", "/1", "+1/2", "1/2/3", "a/b", "1 / 2", "-1/2",
    ] {
        let error = wrong.parse::<Shard>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("`{wrong}` is no shard")), "{error}");
    }
}

#[test]
fn a_part_knows_the_whole() {
    let whole = manifest();
    let part = take(&whole, &Costs::default(), shard(2, 3)).unwrap();
    let of = part.part.clone().unwrap();
    assert_eq!((part.hash(), of.total), (whole.hash(), whole.cells.len()));
    assert_eq!(part.lanes(), whole.lanes());
    for (cell, place) in part.cells.iter().zip(of.places) {
        assert_eq!(cell.to_string(), whole.cells[place].to_string());
    }
}

#[test]
fn the_only_shard_is_the_whole() {
    let whole = manifest();
    let part = take(&whole, &Costs::default(), shard(1, 1)).unwrap();
    assert_eq!(names(&part.cells), names(&whole.cells));
}

#[test]
fn more_shards_than_cases_are_refused() {
    let whole = Manifest::plan(&toy::REGISTRY, &toy::config(), &RunArgs::default(), None).unwrap();
    assert_eq!(cut(&whole, &Costs::default(), 2).len(), 2);
    let error = take(&whole, &Costs::default(), shard(1, 3)).unwrap_err();
    assert_eq!(error, ShardError::TooMany { cases: 2, count: 3 });
}

#[test]
fn a_clip_of_the_user_cannot_be_cut() {
    let shape = isobit::frame::ClipShape::tight(toy::DEEP, 20, 10);
    let args = RunArgs {
        clip: vec!["a.y4m".into()],
        ..RunArgs::default()
    };
    let whole = Manifest::plan(&toy::REGISTRY, &toy::config(), &args, Some(&shape)).unwrap();
    assert_eq!(
        take(&whole, &Costs::default(), shard(1, 1)).unwrap_err(),
        ShardError::Clip
    );
}

proptest! {
    #[test]
    fn every_cell_is_in_one_shard_and_every_control_in_all(
        count in 1_usize..9, cell_ms in 0.0..50.0_f64, sample_ns in 0.0..900.0_f64, other in 0.0..900.0_f64,
    ) {
        let whole = manifest();
        let costs = Costs { rows: vec![cost("invert", "one", cell_ms, sample_ns), cost("revert", "two", 1.0, other)] };
        let parts = cut(&whole, &costs, count);
        let mut seen = BTreeSet::new();
        let controls = whole.cells.len() - real(&whole).count();
        for part in &parts {
            prop_assert!(real(part).any(|cell| cell.skip.is_none()), "a shard with nothing to run");
            prop_assert_eq!(part.cells.len() - real(part).count(), controls);
            for cell in real(part) {
                prop_assert!(seen.insert(cell.to_string()), "`{}` is in two shards", cell);
            }
        }
        prop_assert_eq!(seen.len(), real(&whole).count());
        // What is shared is computed once: the cells of a case stay together.
        let cases: Vec<BTreeSet<_>> = parts.iter().map(|part| real(part).map(Cell::case).collect()).collect();
        prop_assert_eq!(cases.iter().map(BTreeSet::len).sum::<usize>(), cases.iter().flatten().collect::<BTreeSet<_>>().len());
        // The bound of the greedy cut: no shard is ahead of another by more than its last, and so its cheapest, case.
        let loads: Vec<u64> = parts.iter().map(|part| load(part, &costs)).collect();
        let most = loads.iter().copied().max().unwrap_or_default();
        let least = loads.iter().copied().min().unwrap_or_default();
        let fullest = loads.iter().position(|&load| load == most).unwrap_or_default();
        let cheapest = cases[fullest].iter().map(|case| {
            real(&parts[fullest]).filter(|cell| cell.case() == *case).map(|cell| costs.micros(cell)).sum::<u64>()
        });
        prop_assert!(most - least <= cheapest.filter(|&cost| cost > 0).min().unwrap_or_default());
    }
}
