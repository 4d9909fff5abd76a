//! Pictures moved by hand, planes that stay planes, and what is refused.

use proptest::prelude::*;

use super::super::KERNEL;
use super::*;

const NEUTRAL: Settings = Settings {
    crop: Crop {
        corner: [0, 0],
        size: [0, 0],
    },
    rotation: Rotation {
        angle: 0.0,
        expand: false,
        interpolation: Interpolation::Bicubic,
    },
    flip: Flip::None,
    size: [0, 0],
    resample: Resample::Lanczos3,
};

fn rotation(angle: f64) -> Settings {
    Settings {
        rotation: Rotation {
            angle,
            ..NEUTRAL.rotation
        },
        ..NEUTRAL
    }
}

/// 1 2 3
/// 4 5 6
fn six() -> Raster {
    Raster::of(3, 2, |x, y| (3 * y + x + 1) as f32)
}

fn moved(settings: &Settings) -> ([u32; 2], Vec<f32>) {
    let raster = apply(&six(), settings).unwrap();
    ([raster.width, raster.height], raster.samples)
}

#[test]
fn the_defaults_of_the_options_change_nothing() {
    assert_eq!(Settings::of(&KERNEL.options), NEUTRAL);
    assert_eq!(apply(&six(), &NEUTRAL).unwrap(), six());
}

#[test]
fn quarter_turns_go_clockwise_and_take_the_frame_with_them() {
    assert_eq!(moved(&rotation(90.0)), ([2, 3], vec![4.0, 1.0, 5.0, 2.0, 6.0, 3.0]));
    assert_eq!(moved(&rotation(180.0)), ([3, 2], vec![6.0, 5.0, 4.0, 3.0, 2.0, 1.0]));
    assert_eq!(moved(&rotation(-90.0)), ([2, 3], vec![3.0, 6.0, 2.0, 5.0, 1.0, 4.0]));
    assert_eq!(moved(&rotation(270.0)), moved(&rotation(-90.0)));
}

#[test]
fn a_flip_comes_after_the_rotation_and_a_crop_before_it() {
    let flipped = |flip| moved(&Settings { flip, ..NEUTRAL }).1;
    assert_eq!(flipped(Flip::Horizontal), [3.0, 2.0, 1.0, 6.0, 5.0, 4.0]);
    assert_eq!(flipped(Flip::Vertical), [4.0, 5.0, 6.0, 1.0, 2.0, 3.0]);
    let all = Settings {
        crop: Crop {
            corner: [1, 0],
            size: [0, 0],
        },
        flip: Flip::Horizontal,
        ..rotation(90.0)
    };
    // 2 3 / 5 6 turned is 5 2 / 6 3, flipped 2 5 / 3 6.
    assert_eq!(moved(&all), ([2, 2], vec![2.0, 5.0, 3.0, 6.0]));
}

#[test]
fn a_crop_beyond_the_picture_is_refused_with_its_place() {
    for (corner, size) in [([3, 0], [0, 0]), ([0, 2], [0, 0]), ([1, 0], [3, 1]), ([0, 1], [3, 2])] {
        let settings = Settings {
            crop: Crop { corner, size },
            ..NEUTRAL
        };
        let message = apply(&six(), &settings).unwrap_err().to_string();
        let reason = format!(
            "a crop of {}x{} from ({}, {}) is not inside of a picture of 3x2",
            size[0], size[1], corner[0], corner[1]
        );
        assert!(message.ends_with(&reason), "{message}");
    }
    let large = Settings {
        size: [LARGEST_SIDE + 1, 0],
        ..NEUTRAL
    };
    assert!(apply(&six(), &large).is_err());
}

#[test]
fn an_expanded_frame_holds_the_corners() {
    let settings = Settings {
        rotation: Rotation {
            expand: true,
            ..rotation(45.0).rotation
        },
        ..NEUTRAL
    };
    let flat = Raster::of(8, 8, |_, _| 1.0);
    let rotated = apply(&flat, &settings).unwrap();
    // The diagonal of 8 is 11.3.
    assert_eq!((rotated.width, rotated.height), (12, 12));
    assert_eq!([rotated.at(0, 0), rotated.at(6, 6)], [0.0, 1.0]);
    let light: f32 = rotated.samples.iter().sum();
    assert!((light - 64.0).abs() < 0.7, "{light}");
    assert_eq!(
        moved(&Settings {
            rotation: Rotation {
                angle: 90.0,
                ..settings.rotation
            },
            ..NEUTRAL
        })
        .0,
        [2, 3]
    );
}

#[test]
fn a_plane_stays_a_plane_where_no_edge_is_near() {
    // 0.25·x + 0.5·y about the centre, so that its rotation is known.
    let plane = Raster::of(41, 31, |x, y| 0.25 * (x as f32 - 20.0) + 0.5 * (y as f32 - 15.0));
    for interpolation in [Interpolation::Bicubic, Interpolation::Bilinear] {
        let mut settings = rotation(30.0);
        settings.rotation.interpolation = interpolation;
        let rotated = apply(&plane, &settings).unwrap();
        let (sine, cosine) = 30.0f64.to_radians().sin_cos();
        for (x, y) in [(20, 15), (25, 15), (20, 9), (14, 20)] {
            let (dx, dy) = (f64::from(x) - 20.0, f64::from(y) - 15.0);
            let expected = 0.25 * (cosine * dx + sine * dy) + 0.5 * (cosine * dy - sine * dx);
            let sample = f64::from(rotated.at(x, y));
            assert!(
                (sample - expected).abs() < 2e-5,
                "{sample} for {expected} with {interpolation:?}"
            );
        }
    }
}

#[test]
fn interpolation_weighs_an_impulse_by_its_kernel() {
    // Keys' kernel with a = −½ at 1.5, 0.5, 0.5 and 1.5; a triangle there.
    for (interpolation, expected) in [
        (Interpolation::Bicubic, [-0.0625, 0.5625, 0.5625, -0.0625]),
        (Interpolation::Bilinear, [0.0, 0.5, 0.5, 0.0]),
    ] {
        assert_eq!(interpolation.cubics().map(|cubic| weight(&cubic, 1 << 15)), expected);
        assert_eq!(
            interpolation.cubics().map(|cubic| weight(&cubic, 0)),
            [0.0, 1.0, 0.0, 0.0]
        );
    }
}

proptest! {
    #[test]
    fn a_flat_field_stays_flat_when_it_is_resized(
        size in prop::array::uniform2(1..40u32),
        to in prop::array::uniform2(1..40u32),
        resample in prop::sample::select(&[Resample::Lanczos3, Resample::Bilinear, Resample::Area][..]),
    ) {
        let flat = Raster::of(size[0], size[1], |_, _| 0.7);
        let resized = apply(&flat, &Settings { size: to, resample, ..NEUTRAL }).unwrap();
        prop_assert_eq!([resized.width, resized.height], to);
        prop_assert!(resized.samples.iter().all(|sample| (sample - 0.7).abs() < 2e-6));
    }

    #[test]
    fn four_quarter_turns_and_two_flips_return_the_picture(
        size in prop::array::uniform2(1..20u32),
        interpolation in prop::sample::select(&[Interpolation::Bicubic, Interpolation::Bilinear][..]),
    ) {
        let picture = Raster::of(size[0], size[1], |x, y| ((x * 7 + y * 13) % 31) as f32 / 31.0);
        let mut settings = rotation(90.0);
        settings.rotation.interpolation = interpolation;
        let turned = (0..4).try_fold(picture.clone(), |picture, _| apply(&picture, &settings));
        prop_assert_eq!(&turned.unwrap(), &picture);
        for flip in [Flip::Horizontal, Flip::Vertical] {
            let settings = Settings { flip, ..NEUTRAL };
            let once = apply(&picture, &settings).unwrap();
            prop_assert_eq!(&apply(&once, &settings).unwrap(), &picture);
        }
    }

    #[test]
    fn resizing_the_mirror_image_is_the_mirror_image(to in 1..40u32) {
        let picture = Raster::of(17, 3, |x, y| ((x * 7 + y * 13) % 31) as f32 / 31.0);
        let resized = Settings { size: [to, 0], ..NEUTRAL };
        let one = apply(&picture, &Settings { flip: Flip::Horizontal, ..resized }).unwrap();
        let two = apply(&apply(&picture, &resized).unwrap(), &Settings { flip: Flip::Horizontal, ..NEUTRAL }).unwrap();
        for (a, b) in one.samples.iter().zip(&two.samples) {
            prop_assert!((a - b).abs() < 5e-6, "{a} against {b}");
        }
    }
}
