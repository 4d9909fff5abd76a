//! How visible each wavelet band is: the contrast sensitivity that weighs its coefficients.
//!
//! Knows no pixels. The weights depend on the options alone; the twin is handed them as they are computed here.

use std::f64::consts::PI;

use isobit::kernel::KernelError;

use super::parameters::{Parameters, Sensitivity, unsupported};
use super::reference::SCALES;

/// What the coefficients of one scale are multiplied by, in the order of the bands: horizontal, vertical, diagonal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// The sensitivity.
    pub factors: [f32; 3],
    /// The same in fixed point: at the finest scale in units of 2^-21 (horizontal, vertical) and 2^-23 (diagonal), below 2^16;
    /// at the others in units of 2^-32, below 2^28.
    pub fixed: [u32; 3],
}

/// The weights of every scale, finest first.
///
/// # Errors
/// If a weight leaves the range in which libvmaf's arithmetic is defined, or no blend was fitted to the display.
pub fn weights(parameters: &Parameters) -> Result<[Weights; SCALES], KernelError> {
    let mut weights = [Weights {
        factors: [0.0; 3],
        fixed: [0; 3],
    }; SCALES];
    for (scale, weights) in weights.iter_mut().enumerate() {
        let [straight, diagonal] = factors(parameters, scale)?;
        weights.factors = [straight, straight, diagonal];
        weights.fixed = if scale == 0 {
            finest(parameters, weights.factors)?
        } else {
            let fixed = |factor| in_range(scale, f64::from(factor) * f64::from(2.0f32.powi(32)), 28);
            let [straight, diagonal] = [fixed(straight)?, fixed(diagonal)?];
            [straight, straight, diagonal]
        };
    }
    Ok(weights)
}

/// The weights of the finest scale. Those of the usual view are constants.
fn finest(parameters: &Parameters, factors: [f32; 3]) -> Result<[u32; 3], KernelError> {
    if parameters.views_as_usual() && parameters.csf_mode == Sensitivity::Watson {
        return Ok([36_453, 36_453, 49_417]);
    }
    let fixed = |factor: f32, bits| in_range(0, f64::from(factor) * f64::from(1u32 << bits), 16);
    let (straight, diagonal) = (fixed(factors[0], 21)?, fixed(factors[2], 23)?);
    Ok([straight, straight, diagonal])
}

/// The whole part of a weight that has to fit `bits` bits; what a conversion beyond them yields C leaves open.
fn in_range(scale: usize, weight: f64, bits: u32) -> Result<u32, KernelError> {
    if (0.0..f64::from(2.0f32.powi(bits as i32))).contains(&weight) {
        Ok(weight as u32)
    } else {
        Err(unsupported(format!(
            "the contrast sensitivity of scale {scale} does not fit the {bits} bits of its weight"
        )))
    }
}

/// The sensitivity of one scale to horizontal and vertical detail, and to diagonal detail.
fn factors(parameters: &Parameters, scale: usize) -> Result<[f32; 2], KernelError> {
    match parameters.csf_mode {
        Sensitivity::Watson => Ok([1, 2].map(|orientation| 1.0 / quantisation_step(parameters, scale, orientation))),
        Sensitivity::Barten => Ok(parameters.csf_scales.map(|gain| barten(parameters, scale, gain))),
        Sensitivity::Blend => blend(parameters, scale, &BLENDS),
        Sensitivity::BlendMae => blend(parameters, scale, &BLENDS_MAE),
    }
}

/// Pixels to a degree of visual angle.
fn resolution(parameters: &Parameters) -> f32 {
    (parameters.norm_view_dist * f64::from(parameters.ref_display_height) * PI / 180.0) as f32
}

/// The largest step by which a wavelet coefficient may be quantised unseen, in luma: equation 1 and 9 with tables IV and V of
/// Watson, Yang, Solomon and Villasenor, "Visibility of wavelet quantization noise", IEEE Trans. Image Process. 6(8), 1997.
/// Orientation 1 is horizontal or vertical, 2 is diagonal.
fn quantisation_step(parameters: &Parameters, scale: usize, orientation: usize) -> f32 {
    const A: f32 = 0.495;
    const K: f32 = 0.466;
    const F0: f32 = 0.401;
    const G: [f32; 3] = [1.501, 1.0, 0.534];
    const AMPLITUDES: [[f32; 3]; SCALES] = [
        [0.62171, 0.67234, 0.72709],
        [0.34537, 0.41317, 0.49428],
        [0.18004, 0.22727, 0.28688],
        [0.091401, 0.11792, 0.15214],
    ];
    let octave = f64::from(2u32 << scale);
    let frequency = octave * f64::from(F0) * f64::from(G[orientation]) / f64::from(resolution(parameters));
    let distance = libm::log10(frequency) as f32;
    let step = 2.0 * f64::from(A) * libm::pow(10.0, f64::from(K * distance * distance));
    (step / f64::from(AMPLITUDES[scale][orientation])) as f32
}

/// Barten's contrast sensitivity as simplified for HDR-VDP 2.2.1 (Mantiuk, Kim, Rempel, Heidrich, "HDR-VDP-2", ACM Trans. Graph.
/// 30(4), 2011), at 100 cd/m², times `gain`.
fn barten(parameters: &Parameters, scale: usize, gain: f64) -> f32 {
    const LUMINANCE: f32 = 100.0;
    // Of the six luminances that were measured, those below and above, with the parameters fitted there.
    const BELOW: (f32, [f32; 4]) = (20.0, [0.334278, 3.79542, 1.07327, 6.4635]);
    const ABOVE: (f32, [f32; 4]) = (150.0, [0.394533, 2.7755, 1.16577, 7.45665]);

    let decades = |luminance: f32| libm::log10(f64::from(luminance)) as f32;
    let (below, above, here) = (decades(BELOW.0), decades(ABOVE.0), decades(LUMINANCE));
    let parameter = |index: usize| {
        let (low, high) = (BELOW.1[index], ABOVE.1[index]);
        low + ((high - low) / (above - below)) * (here - below)
    };
    let frequency = resolution(parameters) / (2u32 << scale) as f32;

    let a = (1.0 + libm::pow(f64::from(parameter(0) * frequency), f64::from(parameter(1)))) as f32;
    let falloff = libm::exp(-libm::pow(f64::from(frequency / 7.0), 2.0));
    let b = (1.0 / libm::pow(1.0 - falloff, f64::from(parameter(2)))) as f32;
    let neural = (f64::from(parameter(3)) / libm::pow(f64::from(a * b), 0.5)) as f32;
    (f64::from(neural * optics(frequency) * photoreceptors(LUMINANCE)) * gain) as f32
}

/// What the optics of the eye transmit of a frequency in cycles to a degree.
fn optics(frequency: f32) -> f32 {
    const A: [f32; 4] = [0.424_838_6, 0.572_435_1, 0.000_167_576_24, 0.002_558_723_5];
    const B: [f32; 4] = [0.028, 0.37, 37.0, 360.0];
    A.iter().zip(B).fold(0.0, |sum, (&a, b)| {
        (f64::from(sum) + f64::from(a) * libm::exp(f64::from(-b * frequency))) as f32
    })
}

/// The sensitivity of rods and cones at a luminance in cd/m².
fn photoreceptors(luminance: f32) -> f32 {
    const PEAK: f32 = 30.162;
    const DROP: f32 = 4.0627;
    const TRANSITION: f32 = 1.6596;
    const LOW: f32 = 0.2712;
    let base = libm::pow(f64::from(DROP / luminance), f64::from(TRANSITION)) + 1.0;
    (f64::from(PEAK) * libm::pow(base, f64::from(-LOW))) as f32
}

/// Sensitivities that were fitted to one display: to horizontal and vertical detail, and to diagonal detail, by scale.
struct Blend {
    /// Rows of the display, and its distance in heights.
    view: (i32, f64),
    factors: [[f32; SCALES]; 2],
}

fn blend(parameters: &Parameters, scale: usize, blends: &[Blend]) -> Result<[f32; 2], KernelError> {
    // 2160 rows at 1.5 heights have the pixels to a degree of 1080 rows at 3 heights.
    let view = match (parameters.ref_display_height, parameters.norm_view_dist) {
        (2160, 1.5) => (1080, 3.0),
        view => view,
    };
    let blend = blends.iter().find(|blend| blend.view == view).ok_or_else(|| {
        unsupported(format!(
            "no blended contrast sensitivity was fitted to {} rows at {} heights",
            view.0, view.1
        ))
    })?;
    Ok(blend.factors.map(|factors| factors[scale]))
}

const fn fitted(rows: i32, heights: f64, straight: [f32; SCALES], diagonal: [f32; SCALES]) -> Blend {
    Blend {
        view: (rows, heights),
        factors: [straight, diagonal],
    }
}

/// The blend of Watson's and Barten's sensitivities.
const BLENDS: [Blend; 8] = [
    fitted(
        1080,
        3.0,
        [0.01183, 0.025026, 0.04295, 0.058621],
        [0.004302, 0.011778, 0.023918, 0.035901],
    ),
    fitted(
        1080,
        5.0,
        [0.004212, 0.014809, 0.029642, 0.047464],
        [0.000984, 0.005852, 0.0146, 0.027574],
    ),
    fitted(
        2160,
        3.0,
        [0.00226, 0.01183, 0.025026, 0.04295],
        [0.000479, 0.004302, 0.011778, 0.023918],
    ),
    fitted(
        2160,
        5.0,
        [0.000092, 0.004212, 0.014809, 0.029642],
        [0.000050, 0.000984, 0.005852, 0.0146],
    ),
    fitted(
        720,
        3.0,
        [0.018715, 0.035637, 0.052798, 0.061509],
        [0.007999, 0.018396, 0.031851, 0.037718],
    ),
    fitted(
        720,
        5.0,
        [0.010144, 0.022561, 0.040309, 0.05672],
        [0.003463, 0.010282, 0.021839, 0.034641],
    ),
    fitted(
        480,
        3.0,
        [0.027961, 0.045875, 0.060275, 0.056234],
        [0.013572, 0.026277, 0.036959, 0.034511],
    ),
    fitted(
        480,
        5.0,
        [0.016781, 0.032822, 0.05032, 0.061594],
        [0.00691, 0.016545, 0.029917, 0.037777],
    ),
];

/// The same, fitted to the least mean absolute error.
const BLENDS_MAE: [Blend; 8] = [
    fitted(
        1080,
        3.0,
        [0.011249, 0.022606, 0.035930, 0.045673],
        [0.004097, 0.010921, 0.021430, 0.031313],
    ),
    fitted(
        1080,
        5.0,
        [0.004052, 0.013939, 0.026298, 0.038833],
        [0.000927, 0.005544, 0.013415, 0.024515],
    ),
    fitted(
        2160,
        3.0,
        [0.002166, 0.011249, 0.022606, 0.035930],
        [0.000447, 0.004097, 0.010921, 0.021430],
    ),
    fitted(
        2160,
        5.0,
        [0.000077, 0.004052, 0.013939, 0.026298],
        [0.000045, 0.000927, 0.005544, 0.013415],
    ),
    fitted(
        720,
        3.0,
        [0.017329, 0.030870, 0.042134, 0.047410],
        [0.007509, 0.016707, 0.028072, 0.032722],
    ),
    fitted(
        720,
        5.0,
        [0.009689, 0.020577, 0.034162, 0.044523],
        [0.003302, 0.009579, 0.019661, 0.030318],
    ),
    fitted(
        480,
        3.0,
        [0.024969, 0.037825, 0.046676, 0.043974],
        [0.012511, 0.023424, 0.032139, 0.030166],
    ),
    fitted(
        480,
        5.0,
        [0.015665, 0.028766, 0.040612, 0.047483],
        [0.006514, 0.015107, 0.026476, 0.032776],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adm::KERNEL;

    fn weights_of(options: &[(&str, &str)]) -> Result<[Weights; SCALES], KernelError> {
        let options: Vec<_> = options
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let kernel = KERNEL.with_options(&options).unwrap();
        weights(&Parameters::new(&kernel.options)?)
    }

    /// What libvmaf's own functions yield, built with GCC 12 and glibc 2.36.
    #[test]
    fn factors_are_those_of_libvmaf() {
        let factors = |options| {
            weights_of(options)
                .unwrap()
                .map(|weights| [weights.factors[0], weights.factors[2]])
        };
        assert_eq!(
            factors(&[]),
            [
                [0.017_381_538, 0.005890687],
                [0.031_984_83, 0.014_299_068],
                [0.043_372_66, 0.024_396_908],
                [0.045_673_41, 0.031_312_738],
            ]
        );
        assert_eq!(
            factors(&[("adm_norm_view_dist", "5")]),
            [
                [0.006_839_174_3, 0.002_035_856],
                [0.014_524_501, 0.005_703_358],
                [0.022_730_842, 0.011_230_516],
                [0.027625151, 0.016_635_193],
            ]
        );
        let barten = [
            ("adm_csf_mode", "1"),
            ("adm_csf_scale", "0.001"),
            ("adm_csf_diag_scale", "0.001"),
        ];
        let barten = factors(&barten).map(|[straight, _]| straight);
        assert_eq!(barten, [0.001_210_496_5, 0.005_042_222_3, 0.014_627_065, 0.026_975_881]);
    }

    #[test]
    fn fixed_weights_are_cut_off_but_for_two_constants() {
        let usual = weights_of(&[]).unwrap().map(|weights| weights.fixed);
        assert_eq!(usual[0], [36_453, 36_453, 49_417]);
        assert_eq!(usual[1], [137_373_792, 137_373_792, 61_414_028]);
        assert_eq!(usual[3], [196_165_808, 196_165_808, 134_487_184]);
        let far = weights_of(&[("adm_norm_view_dist", "5")]).unwrap()[0].fixed;
        assert_eq!(far, [14_342, 14_342, 17_077]);
    }

    #[test]
    fn blends_exist_for_the_displays_that_they_were_fitted_to() {
        let blend = |mode, heights, rows| {
            let options = [
                ("adm_csf_mode", mode),
                ("adm_norm_view_dist", heights),
                ("adm_ref_display_height", rows),
            ];
            weights_of(&options).map(|weights| weights[3].factors)
        };
        assert_eq!(blend("2", "3", "1080").unwrap(), [0.058621, 0.058621, 0.035901]);
        assert_eq!(blend("2", "1.5", "2160"), blend("2", "3", "1080"));
        assert_eq!(blend("3", "5", "720").unwrap(), [0.044523, 0.044523, 0.030318]);
        let error = blend("2", "4", "1080").unwrap_err().to_string();
        let reason = "no blended contrast sensitivity was fitted to 1080 rows at 4 heights";
        assert_eq!(error, format!("kernel `adm` is not defined for this input: {reason}"));
    }

    #[test]
    fn a_weight_beyond_its_bits_is_refused() {
        let error = weights_of(&[("adm_csf_mode", "1")]).unwrap_err().to_string();
        assert!(
            error.ends_with("the contrast sensitivity of scale 0 does not fit the 16 bits of its weight"),
            "{error}"
        );
        let close = weights_of(&[("adm_norm_view_dist", "2.5")]).unwrap_err().to_string();
        assert!(
            close.ends_with("`adm_norm_view_dist` times `adm_ref_display_height` is 2700, below 3240"),
            "{close}"
        );
    }
}
