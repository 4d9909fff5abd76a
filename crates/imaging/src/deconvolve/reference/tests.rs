//! Deconvolution of blurs that are known.

use proptest::prelude::*;

use super::*;

const DEFAULT: Settings = Settings {
    iterations: 8,
    psf: Psf::Gaussian(1.5),
    limb_guard: 0.0,
};

/// Stars and a disc on a dark sky.
fn truth() -> Raster {
    Raster::of(64, 56, |x, y| {
        let disc = (f64::from(x) - 40.0).powi(2) + (f64::from(y) - 30.0).powi(2);
        match (x, y) {
            (10, 12) | (11, 12) | (10, 13) => 0.8,
            (18, 40) => 1.0,
            _ if disc < 100.0 => 0.5,
            _ => 0.02,
        }
    })
}

fn blurred(psf: Psf) -> Raster {
    spread(&truth(), &psf.passes(&truth()), |_, _| {})
}

fn rmse(a: &Raster, b: &Raster) -> f64 {
    let squares = a.samples.iter().zip(&b.samples).map(|(a, b)| f64::from(a - b).powi(2));
    (squares.sum::<f64>() / a.samples.len() as f64).sqrt()
}

fn flux(raster: &Raster) -> f64 {
    raster.samples.iter().copied().map(f64::from).sum()
}

#[test]
fn a_known_blur_is_undone_and_light_is_kept() {
    for (psf, part) in [
        (Psf::Gaussian(1.0), 0.6),
        (Psf::Gaussian(1.5), 0.75),
        (Psf::Airy(2.5), 0.6),
    ] {
        let observed = blurred(psf);
        let before = rmse(&observed, &truth());
        let mut last = before;
        for iterations in [4, 12, 40] {
            let restored = apply(
                &observed,
                &Settings {
                    iterations,
                    psf,
                    ..DEFAULT
                },
            );
            let after = rmse(&restored, &truth());
            assert!(after < last, "{psf:?} after {iterations}: {after} from {last}");
            last = after;
            let light = flux(&restored) / flux(&observed);
            assert!((light - 1.0).abs() < 1e-3, "{psf:?} after {iterations}: {light}");
        }
        assert!(last < part * before, "{psf:?}: {last} from {before}");
    }
}

#[test]
fn a_measured_psf_restores_as_the_known_one_does() {
    let truth = Raster::of(40, 40, |x, y| match (x, y) {
        (12, 14) => 1.0,
        (30, 9) | (25, 28) => 0.6,
        _ => 0.02,
    });
    let observed = spread(&truth, &Psf::Gaussian(1.2).passes(&truth), |_, _| {});
    let error = |psf| rmse(&apply(&observed, &Settings { psf, ..DEFAULT }), &truth);
    let (known, measured) = (error(Psf::Gaussian(1.2)), error(Psf::Automatic));
    assert!((measured / known - 1.0).abs() < 0.05, "{measured}, {known}");
    assert!(measured < 0.9 * rmse(&observed, &truth));
}

#[test]
fn the_guard_lessens_the_ring_along_a_limb_and_leaves_a_star_its_gain() {
    let observed = blurred(Psf::Gaussian(1.5));
    let restored = |limb_guard| {
        apply(
            &observed,
            &Settings {
                iterations: 12,
                limb_guard,
                ..DEFAULT
            },
        )
    };
    let ring = |raster: &Raster| {
        let on_disc = (30..=50).map(|x| raster.at(x, 30));
        on_disc.fold(0.0, f32::max) - 0.5
    };
    let (free, guarded) = (restored(0.0), restored(1.0));
    assert!(ring(&guarded) < 0.5 * ring(&free), "{} {}", ring(&guarded), ring(&free));
    let gain = |raster: &Raster| raster.at(18, 40) - observed.at(18, 40);
    assert!(gain(&guarded) > 0.5 * gain(&free), "{} {}", gain(&guarded), gain(&free));
}

#[test]
fn darkness_and_numbers_below_it_stay_dark() {
    let raster = Raster::of(9, 9, |x, y| if (x, y) == (4, 4) { 0.5 } else { -0.25 });
    for psf in [Psf::Gaussian(1.5), Psf::Airy(2.0), Psf::Automatic] {
        let restored = apply(
            &raster,
            &Settings {
                psf,
                limb_guard: 0.5,
                ..DEFAULT
            },
        );
        assert!(restored.samples.iter().all(|&sample| (0.0..2.0).contains(&sample)));
        let dark = apply(
            &Raster::of(5, 5, |_, _| -1.0),
            &Settings {
                psf,
                limb_guard: 1.0,
                ..DEFAULT
            },
        );
        assert_eq!(dark.samples, [0.0; 25]);
    }
}

#[test]
fn a_straight_limb_is_guarded_whole_and_what_is_far_from_it_is_not() {
    let observed = Raster::of(40, 12, |x, _| if x < 20 { 0.0 } else { 0.6 });
    let kept = kept(&observed, 1.0, &mut |_, _| {});
    assert!((18..=21).all(|x| kept.at(x, 6) == 0.0));
    assert_eq!([kept.at(5, 6), kept.at(35, 6)], [1.0; 2]);
}

proptest! {
    #[test]
    fn a_flat_field_stays_flat(level in 1e-5f32..4.0, guard in 0.0f32..1.0) {
        let flat = Raster::of(7, 6, |_, _| level);
        for psf in [Psf::Gaussian(2.0), Psf::Airy(3.0), Psf::Automatic] {
            prop_assert_eq!(&apply(&flat, &Settings { psf, limb_guard: guard, ..DEFAULT }), &flat);
        }
    }
}
