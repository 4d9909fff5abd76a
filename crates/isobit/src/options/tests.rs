//! Names, values and refusals of options.

use super::*;
use crate::execution::Readback;
use crate::format::{Depth, Format, Layout};
use crate::frame::{Clip, ClipShape, Frame, Input, Plane};
use crate::kernel::{Finish, KernelError, Metric, MetricKind, NanPolicy, Twin, Window};
use crate::output::Output;
use crate::plan;
use crate::work::{Work, WorkError};

const KERNEL: Kernel = Kernel {
    name: "blur",
    summary: "A kernel with one option of each type, whose score is the sum of their values.",
    clips: 1,
    metrics: &[Metric {
        name: "sum",
        kind: MetricKind::Score,
        nan: NanPolicy::Never,
    }],
    options: Options::of(&[
        KernelOption::integer("radius", "r", "Samples on either side.", 2, [1, 9]),
        KernelOption::flag("wrap", "wr", "Whether edges wrap around."),
        KernelOption::number("gain", "g", "What the result is multiplied by.", 1.0, [0.0, 4.0]),
        KernelOption::choice("edge", "e", "What lies beyond an edge.", &["mirror", "zero"]),
    ]),
    window: Window::FRAME,
    accepts: |_| true,
    refuses: Kernel::refuses_nothing,
    reference: |_, options| Ok(vec![Output::score("sum", 0, sum(options))]),
    twins: &[Twin {
        name: "exact",
        routes: &[],
        work: Work::Frame(|_, _| Ok(plan::Plan::new(""))),
        finish: Finish::Frame(|_, options, frame, _: &Readback| Ok(vec![Output::score("sum", frame, sum(options))])),
        stages: None,
    }],
};

fn sum(options: &Options) -> f64 {
    let hundreds = u8::from(options.flag("wrap")) + 2 * u8::from(options.choice("edge") == "zero");
    options.integer("radius") as f64 + options.number("gain") + f64::from(hundreds) * 100.0
}

fn with(given: &[(&str, &str)]) -> Result<Kernel, OptionError> {
    let given: Vec<_> = given
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    KERNEL.with_options(&given)
}

#[test]
fn names_carry_what_differs_from_the_defaults_in_the_order_of_the_options_names() {
    let kernel = with(&[("wrap", "true"), ("radius", "3"), ("gain", "0.5"), ("edge", "zero")]).unwrap();
    assert_eq!(kernel.name, "blur_e_zero_g_0.5_r_3_wr");
    assert_eq!(kernel.metrics[0].name, "sum_e_zero_g_0.5_r_3_wr");
    assert_eq!(
        (kernel.base(kernel.name), kernel.base(kernel.metrics[0].name)),
        ("blur", "sum")
    );
}

#[test]
fn a_default_that_is_spelled_out_is_no_other_kernel() {
    let kernel = with(&[("wrap", "false"), ("radius", "2"), ("gain", "1"), ("edge", "mirror")]).unwrap();
    assert_eq!((kernel.name, kernel.metrics), (KERNEL.name, KERNEL.metrics));
}

#[test]
fn an_option_can_be_set_back() {
    let kernel = with(&[("radius", "3"), ("wrap", "true")]).unwrap();
    let back = kernel.with_options(&[("radius".to_owned(), "2".to_owned())]).unwrap();
    assert_eq!((back.name, back.metrics[0].name), ("blur_wr", "sum_wr"));
}

#[test]
fn values_reach_the_reference_and_the_finish_and_outputs_are_named_after_them() {
    let shape = crate::frame::ClipShape::tight("rgb-8".parse().unwrap(), 1, 1);
    let kernel = with(&[("gain", "2.5"), ("wrap", "true"), ("edge", "zero")]).unwrap();
    let outputs = kernel.finish(&kernel.twins[0], &shape, &[Readback::default()]).unwrap();
    assert_eq!(outputs, [Output::score(kernel.metrics[0].name, 0, 304.5)]);
}

#[test]
fn what_the_kernel_does_not_know_is_refused_with_what_it_knows() {
    let error = with(&[("radios", "3")]).unwrap_err().to_string();
    assert_eq!(
        error,
        "kernel `blur` has no option `radios`\nhint: its options are `radius`, `wrap`, `gain`, `edge`"
    );
}

#[test]
fn a_value_of_another_type_or_outside_the_range_is_refused() {
    for (option, value) in [
        ("radius", "10"),
        ("radius", "2.5"),
        ("wrap", "1"),
        ("gain", "nan"),
        ("gain", "-0.1"),
        ("edge", "Zero"),
    ] {
        let error = with(&[(option, value)]).unwrap_err();
        assert!(matches!(error, OptionError::Value { .. }), "{option}={value}: {error}");
    }
    assert_eq!(
        with(&[("gain", "5")]).unwrap_err().to_string(),
        "option `gain` of kernel `blur` is a number from 0 to 4, not `5`\nhint: gain is 1 by default"
    );
    assert_eq!(
        with(&[("edge", "wrap")]).unwrap_err().to_string(),
        "option `edge` of kernel `blur` is one of `mirror`, `zero`, not `wrap`\nhint: edge is mirror by default"
    );
}

#[test]
fn an_option_is_set_once() {
    let error = with(&[("gain", "2"), ("gain", "3")]).unwrap_err();
    assert!(matches!(error, OptionError::Twice { option: "gain", .. }));
}

#[test]
fn a_choice_without_a_result_is_refused_by_both_sides_for_its_reason() {
    const REASON: &str = "edges do not wrap around a corner";
    const EDGE: KernelOption = KernelOption::choice("edge", "e", "What lies beyond an edge.", &["mirror", "wrap"]);
    const KNOWN: &[KernelOption] = &[EDGE.refusing(&[("wrap", REASON)])];
    let mut kernel = KERNEL;
    kernel.options = Options::of(KNOWN);
    let shape = ClipShape::tight(Format::new(Layout::Mono, Depth::U8), 1, 1);
    let plane = Plane::new(shape.planes[0], Depth::U8, vec![0]).unwrap();
    let input = Input::new(vec![
        Clip::new(shape.clone(), vec![Frame { planes: vec![plane] }]).unwrap(),
    ])
    .unwrap();
    assert_eq!(kernel.refusal(&shape), None);

    let kernel = kernel.with_options(&[("edge".to_owned(), "wrap".to_owned())]).unwrap();
    let refused = KernelError::Unsupported {
        kernel: kernel.name,
        reason: REASON.to_owned(),
    };
    assert_eq!(kernel.refusal(&shape).as_deref(), Some(REASON));
    assert_eq!(kernel.compute(&input), Err(refused.clone()));
    let twin = &kernel.twins[0];
    assert_eq!(kernel.plans(twin, &shape, 1).unwrap_err(), refused);
    let ran = kernel.run(twin, &input, "none", &mut |_, _| -> Result<_, String> {
        panic!("a plan ran")
    });
    assert!(matches!(ran, Err(WorkError::Kernel(error)) if error == refused));
}
