//! The imaging kernels through [`isobit_wgpu::backend`], as applications run them: the exact twin equal to the reference bit
//! for bit, the native twin within a ceiling.
//!
//! `ISOBIT_TESTS` says what must be there: `software` (the default) the drivers that `cargo xtask test` provides, `hardware` a
//! GPU, `none` nothing, so that only the CPU's side runs.

#![expect(clippy::unwrap_used, reason = "a test whose footing is gone stops where it stands")]

mod harness;

use harness::{backend_test, check, kernel, within};
use imaging::{accumulate, colourise, deconvolve, denoise, edit_list, sharpness, stack, tone, unsharp, wavelet};
use isobit::kernel::KernelError;
use isobit::tolerance::Rule;
use isobit::work::Place;
use isobit_wgpu::backend::{Backend, BackendError, Opened};

backend_test!(
    accumulated_sums_are_within_1e_4_per_unit_weight_and_validity_is_equal,
    |opened| {
        // Eight frames of weight 1 at most.
        let bound = |metric: &str| match metric.starts_with("sums") {
            true => Rule::Abs { abs: 8.0 * 1e-4 },
            false => Rule::EXACT,
        };
        let lanczos = [("drift_x", "1.3125"), ("drift_y", "-0.5625"), ("fade", "0.75")];
        let bilinear = [("method", "bilinear"), ("drift_x", "-2.1875"), ("drift_y", "0.4375")];
        for options in [&lanczos[..], &bilinear] {
            check(opened, &kernel(&accumulate::KERNEL, options), "stars", bound);
        }
    }
);

backend_test!(sharpness_is_within_2e_3_relative, |opened| {
    check(opened, &sharpness::KERNEL, "stars", |_| within(0.0, 2e-3));
});

backend_test!(
    colouring_is_within_1e_5_for_every_preset_inverted_and_not_at_full_and_partial_strength,
    |opened| {
        for preset in colourise::palette::PRESETS {
            for invert in ["false", "true"] {
                for strength in ["1", "0.6"] {
                    let options = [("preset", *preset), ("invert", invert), ("strength", strength)];
                    let coloured = kernel(&colourise::KERNEL, &options);
                    check(opened, &coloured, "holes", |_| within(1e-5, 0.0));
                    check(opened, &coloured, "float_sweep", |_| within(1e-5, 0.0));
                }
            }
        }
    }
);

backend_test!(levels_and_a_curve_are_within_2e_6, |opened| {
    let curve = [("curve_25", "0.15"), ("curve_75", "0.85")];
    let levels = [("black", "0.05"), ("white", "0.9")];
    let gamma = [("black", "0.05"), ("white", "0.9"), ("gamma", "2.2")];
    for options in [&curve[..], &levels, &gamma] {
        check(opened, &kernel(&tone::KERNEL, options), "stars", |_| within(2e-6, 0.0));
    }
});

backend_test!(
    unsharp_mask_is_within_2e_5_and_wavelets_and_denoising_within_1e_4,
    |opened| {
        let layers = [
            [("gain_1", "4"), ("cut_1", "0.004")],
            [("gain_2", "2.5"), ("cut_2", "0.002")],
            [("gain_3", "1.5"), ("cut_3", "0.001")],
            [("gain_4", "1.25"), ("cut_4", "0.0005")],
            [("gain_5", "0.75"), ("cut_5", "0.0005")],
            [("gain_6", "0.5"), ("cut_6", "0.0005")],
        ];
        // One clean picture and one of noise.
        for fixture in ["stars", "noise"] {
            check(opened, &unsharp::KERNEL, fixture, |_| within(2e-5, 0.0));
            let six = kernel(&wavelet::KERNEL, layers.as_flattened());
            check(opened, &six, fixture, |_| within(1e-4, 0.0));
            check(opened, &denoise::KERNEL, fixture, |_| within(1e-4, 0.0));
        }
    }
);

backend_test!(an_all_default_wavelet_returns_its_input, |opened| {
    check(opened, &wavelet::KERNEL, "stars", |_| Rule::EXACT);
    check(opened, &wavelet::KERNEL, "padded", |_| Rule::EXACT);
});

backend_test!(
    deconvolution_is_within_2e_3_after_eight_to_twelve_iterations,
    |opened| {
        let gaussian = [("iterations", "8")];
        let airy = [("iterations", "10"), ("psf", "airy"), ("limb_guard", "0.75")];
        let automatic = [("iterations", "12"), ("psf", "automatic")];
        for options in [&gaussian[..], &airy, &automatic] {
            check(opened, &kernel(&deconvolve::KERNEL, options), "padded", |_| {
                within(2e-3, 0.0)
            });
        }
    }
);

backend_test!(
    a_mixed_list_with_geometry_is_within_1e_4_and_its_receipt_tells_the_steps_apart,
    |opened| {
        for recipe in ["mixed", "geometry_first", "filters"] {
            check(
                opened,
                &kernel(&edit_list::KERNEL, &[("recipe", recipe)]),
                "padded",
                |_| within(1e-4, 0.0),
            );
        }
        let input = harness::input(&edit_list::KERNEL, "padded").next().unwrap();
        let (_, receipt) = opened.run(&edit_list::KERNEL, "exact", &input).unwrap();
        let steps: Vec<_> = receipt.steps.iter().map(|step| step.step.as_str()).collect();
        if opened.adapter().is_none() {
            assert_eq!(steps, ["reference"]);
            return;
        }
        assert_eq!(steps, ["unsharp", "geometry", "tone", "geometry"]);
        for (index, step) in receipt.steps.iter().enumerate() {
            let on_device = matches!(&step.place, Place::Device { passes, .. } if !passes.is_empty());
            assert_eq!(on_device, index % 2 == 0, "{receipt}");
        }
        assert_eq!(receipt.fallen_back(), None);
    }
);

backend_test!(a_whole_stack_has_an_rmse_below_1e_4_and_the_same_ranking, |opened| {
    check(opened, &stack::KERNEL, "stars", |metric| match metric {
        "stacked" => Rule::Rmse { rmse: 1e-4 },
        "rank" => Rule::Ranking,
        "validity" => Rule::EXACT,
        // A parabola between sums that a compiler may fuse: to the next sixteenth of a sample.
        _ => within(1.0, 0.0),
    });
});

backend_test!(drizzle_is_unsupported_on_every_backend, |opened| {
    let drizzle = kernel(&accumulate::KERNEL, &[("method", "drizzle")]);
    let input = harness::input(&accumulate::KERNEL, "stars").next().unwrap();
    let refused = |opened: &mut Opened, twin| match opened.run(&drizzle, twin, &input) {
        Err(BackendError::Kernel(KernelError::Unsupported { reason, .. })) => reason,
        other => panic!("{other:?}"),
    };
    let mut cpu = Backend::Cpu.open().unwrap();
    for twin in ["exact", "native"] {
        assert_eq!(refused(opened, twin), refused(&mut cpu, twin));
    }
});

#[test]
fn backend_selection_never_fails_for_cpu_and_auto() {
    assert!(Backend::Cpu.open().is_ok());
    assert!(Backend::Auto.open().is_ok());
}
