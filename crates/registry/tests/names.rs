//! Names and declarations that the rest of the workspace relies on.

use std::collections::BTreeSet;

use isobit::kernel::{Kernel, Registry};
use isobit_registry::registry;

fn kernels(registry: &Registry) -> impl Iterator<Item = &'static Kernel> + use<> {
    let controls = registry.controls.iter().map(|control| &control.kernel);
    registry.kernels.iter().chain(controls)
}

fn is_snake_case(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .split('_')
            .all(|word| !word.is_empty() && word.chars().all(allowed))
}

fn assert_distinct<'a>(what: &str, names: impl IntoIterator<Item = &'a str>) {
    let mut seen = BTreeSet::new();
    for name in names {
        assert!(is_snake_case(name), "{what} `{name}` is not in snake_case");
        assert!(seen.insert(name), "{what} `{name}` is there twice");
    }
    assert!(!seen.is_empty(), "there is no {what}");
}

#[test]
fn kernels_metrics_and_twins_have_distinct_names_in_snake_case() {
    assert_distinct("kernel", kernels(&registry()).map(|kernel| kernel.name));
    for kernel in kernels(&registry()) {
        assert_distinct(
            &format!("metric of `{}`", kernel.name),
            kernel.metrics.iter().map(|metric| metric.name),
        );
        assert_distinct(
            &format!("twin of `{}`", kernel.name),
            kernel.twins.iter().map(|twin| twin.name),
        );
    }
}

#[test]
fn every_kernel_of_every_family_is_registered() {
    let registered: BTreeSet<_> = registry().kernels.iter().map(|kernel| kernel.name).collect();
    let declared: BTreeSet<_> = [colour::KERNELS, quality::KERNELS, imaging::KERNELS]
        .into_iter()
        .flatten()
        .map(|kernel| kernel.name)
        .collect();
    assert_eq!(registered, declared);
}

#[test]
fn a_twin_has_a_route_exactly_if_it_is_exact() {
    for kernel in registry().kernels {
        for twin in kernel.twins {
            match twin.name {
                "exact" => assert!(!twin.routes.is_empty(), "`{}` is exact by no route", kernel.name),
                "native" => assert!(twin.routes.is_empty(), "`{}` is native by a route", kernel.name),
                other => panic!("`{}` has a twin named `{other}`", kernel.name),
            }
        }
    }
}

#[test]
fn a_control_has_a_sound_and_a_broken_twin() {
    for control in registry().controls {
        let twins: Vec<_> = control.kernel.twins.iter().map(|twin| twin.name).collect();
        assert_eq!(twins, ["sound", "broken"], "`{}`", control.kernel.name);
    }
}

#[test]
fn a_summary_is_one_sentence_on_one_line() {
    for kernel in kernels(&registry()) {
        let summary = kernel.summary;
        assert!(
            summary.len() > 1 && !summary.contains('\n') && !summary.contains(". ") && summary.ends_with('.'),
            "`{}`: {summary}",
            kernel.name
        );
    }
}
