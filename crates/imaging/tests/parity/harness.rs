//! Opens what `ISOBIT_TESTS` demands, a process for each software driver, and compares both twins with the reference.

use isobit::compare::compare;
use isobit::format::{Depth, Format, Layout};
use isobit::frame::Input;
use isobit::kernel::Kernel;
use isobit::tolerance::Rule;
use isobit_testing::DEMAND;
use isobit_wgpu::backend::{Backend, Opened};

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

/// Runs `body` on each adapter that is demanded, or on the CPU where none is.
pub fn on_each_backend(test: &str, body: fn(&mut Opened)) {
    isobit_testing::on_each_adapter(test, |request| {
        let backend = request.map_or(Backend::Cpu, |request| Backend::Lane(request.clone()));
        let opened = backend.open();
        body(&mut opened.unwrap_or_else(|error| panic!("`{DEMAND}` demands an adapter: {error}")));
    });
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
                let worst = found.max_measure.unwrap_or(found.max_abs);
                println!("{what}: at most {worst:e} off under {rule}");
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
