//! The transform against its properties, and the identity against stored bits.

use isobit::output::Values;
use proptest::prelude::*;

use super::super::KERNEL;
use super::*;
use crate::load::load;

const IDENTITY: Settings = Settings {
    gains: [1.0; LAYERS],
    cuts: [0.0; LAYERS],
    hard: false,
};

fn raster(width: u32, samples: Vec<f32>) -> Raster {
    Raster {
        width,
        height: samples.len() as u32 / width,
        samples: samples.into_iter().map(held).collect(),
    }
}

/// The bits of every fixture in every format that the kernel accepts come out as they went in.
#[test]
fn the_defaults_return_the_input_bit_for_bit() {
    let mut formats = std::collections::BTreeSet::new();
    let mut holes = 0;
    for fixture in isobit_fixtures::all().iter().filter(|fixture| fixture.grid().is_none()) {
        for format in fixture.formats().filter(|&format| (KERNEL.accepts)(format)) {
            let input = fixture.input(format, 1).unwrap();
            let mut expected = Vec::new();
            for frame in 0..input.frames() {
                for (plane, raster) in load(&input, 0, frame).into_iter().enumerate() {
                    expected.push(if format.depth == Depth::F32 && format.layout != Layout::Bayer {
                        let stored = input.plane(0, frame, plane);
                        (0..input.shape().height)
                            .flat_map(|y| stored.floats(y))
                            .map(f32::to_bits)
                            .collect()
                    } else {
                        raster.samples.into_iter().map(f32::to_bits).collect::<Vec<_>>()
                    });
                }
            }
            let outputs = KERNEL.compute(&input).unwrap().into_iter();
            let bits: Vec<Vec<u32>> = outputs
                .map(|output| match output.values {
                    Values::F32(samples) => samples.into_iter().map(f32::to_bits).collect(),
                    other => panic!("{other:?}"),
                })
                .collect();
            assert!(bits == expected, "{} in {format}", fixture.name);
            formats.insert(format.to_string());
            holes += bits
                .iter()
                .flatten()
                .filter(|&&bits| f32::from_bits(bits).is_nan())
                .count();
        }
    }
    assert_eq!(formats.len(), 15);
    assert!(holes > 100, "{holes} NaN went through");
}

proptest! {
    #[test]
    fn the_layers_add_up_to_the_raster(samples in prop::collection::vec(0.0f32..1.0, 48)) {
        let raster = raster(8, samples);
        let joined = transformed(&raster, &IDENTITY, |_, _| {});
        for (joined, sample) in joined.samples.iter().zip(&raster.samples) {
            prop_assert!((joined - sample).abs() < 5e-7, "{joined} {sample}");
        }
    }

    #[test]
    fn a_flat_field_stays_flat(level in -2.0f32..2.0, gain in 0.0f32..100.0, cut in 0.0f32..0.1, hard: bool) {
        let flat = raster(5, vec![level; 20]);
        let settings = Settings { gains: [gain; LAYERS], cuts: [cut; LAYERS], hard };
        prop_assert_eq!(&transformed(&flat, &settings, |_, _| {}), &flat);
    }

    #[test]
    fn a_gain_scales_its_layer_alone(samples in prop::collection::vec(0.0f32..1.0, 72), layer in 0..LAYERS, gain in 0.0f32..4.0) {
        let raster = raster(9, samples);
        let mut settings = IDENTITY;
        settings.gains[layer] = gain;
        let mut detail = None;
        let mut fine = raster.clone();
        transformed(&raster, &IDENTITY, |index, [_, smooth, _]| {
            if index == layer {
                detail = Some((fine.clone(), smooth.clone()));
            }
            fine = smooth.clone();
        });
        let (fine, smooth) = detail.unwrap();
        let scaled = apply(&raster, &settings);
        for index in 0..72 {
            let detail = f64::from(fine.samples[index]) - f64::from(smooth.samples[index]);
            let expected = f64::from(raster.samples[index]) + (f64::from(gain) - 1.0) * detail;
            prop_assert!((f64::from(scaled.samples[index]) - expected).abs() < 2e-6);
        }
    }
}

#[test]
fn a_cut_takes_what_it_covers_and_a_soft_one_lessens_the_rest() {
    for (detail, soft, hard) in [
        (0.5, 0.25, 0.5),
        (-0.5, -0.25, -0.5),
        (0.25, 0.0, 0.0),
        (-0.25, 0.0, 0.0),
        (0.0, 0.0, 0.0),
    ] {
        assert_eq!(cut(detail, 0.25, false), soft);
        assert_eq!(cut(detail, 0.25, true), hard);
    }
}

#[test]
fn a_coefficient_that_equals_a_hard_cut_is_noise() {
    // The matrix has a variant with this cut: what the finest layer has beside a point of 1.
    let point = Raster::of(15, 15, |x, y| f32::from(u8::from((x, y) == (7, 7))));
    let gain = |cut: f32| Settings {
        gains: [2.0, 1.0, 1.0, 1.0, 1.0, 1.0],
        cuts: [cut, 0.0, 0.0, 0.0, 0.0, 0.0],
        hard: true,
    };
    let beside = |cut: f32| apply(&point, &gain(cut)).at(8, 7);
    let cut = 24.0 / 256.0;
    // What is left is the smoothed point, 24/256; the coefficient of −24/256 is gone, or there twice.
    assert!((beside(cut) - cut).abs() < 1e-6, "{}", beside(cut));
    assert!(
        (beside(cut.next_down()) + cut).abs() < 1e-6,
        "{}",
        beside(cut.next_down())
    );
}
