//! The probes of the gate on real drivers, held to what is known of each.

use isobit_wgpu::Executor;

use crate::harness::{LIMIT, device_test};

device_test!(the_probes_find_what_is_known_of_the_driver, |request| {
    let mut executor = Executor::open(request).unwrap();
    let reports = isobit_gate::probes::run(&mut |plan, input| executor.run(plan, input, LIMIT));
    for report in &reports {
        println!("{}: {}", report.name, report.finding);
    }
    assert!(reports.iter().all(|report| !report.broken));
    let finding = |name: &str| {
        reports
            .iter()
            .find(|report| report.name == name)
            .unwrap()
            .finding
            .as_str()
    };
    assert_eq!(finding("seal"), "sealed a*b+c and a*b+a*c are computed as written");
    assert!(
        finding("distribution").starts_with("a*b+a*c is rewritten"),
        "{}",
        finding("distribution")
    );
    let subnormals = finding("subnormals");
    if request.driver == "llvmpipe" {
        assert_eq!(subnormals, "inputs kept, results kept");
    } else {
        assert!(subnormals.contains("flushed to zero"), "{subnormals}");
    }
});
