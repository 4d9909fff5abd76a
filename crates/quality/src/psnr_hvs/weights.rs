//! How visible each coefficient of an 8×8 DCT is, for luma and both chroma planes: the numbers of `psnr_hvs.c`.

/// The sensitivity of the eye at each frequency, and how strongly a coefficient there hides errors.
///
/// One entry a coefficient, vertical frequency by vertical frequency, the mean of the block first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// What an error is multiplied by.
    pub sensitivity: [f32; 64],
    /// What the square of a coefficient is multiplied by: the square of a fixed part of the sensitivity, in f64, rounded once.
    pub masking: [f32; 64],
}

/// The weights of Y, Cb and Cr; those of chroma are meant for 4:2:0 and are used in every layout.
pub const WEIGHTS: [Weights; 3] = [weights(&Y), weights(&CB), weights(&CR)];

/// What turns a sensitivity into the root of a weight for masking.
const MASKING: f64 = 0.388_574_622_590_100_3;

const fn weights(upper: &[f64; 36]) -> Weights {
    let mut weights = Weights {
        sensitivity: [0.0; 64],
        masking: [0.0; 64],
    };
    let (mut next, mut row) = (0, 0);
    while row < 8 {
        let mut column = row;
        while column < 8 {
            let sensitivity = upper[next] as f32;
            let root = sensitivity as f64 * MASKING;
            let masking = (root * root) as f32;
            weights.sensitivity[8 * row + column] = sensitivity;
            weights.sensitivity[8 * column + row] = sensitivity;
            weights.masking[8 * row + column] = masking;
            weights.masking[8 * column + row] = masking;
            next += 1;
            column += 1;
        }
        row += 1;
    }
    weights
}

// Sensitivities are symmetric: each row begins at the diagonal.

#[rustfmt::skip]
const Y: [f64; 36] = [
    1.619_387_300_5, 2.290_159_483_1, 2.085_097_556_23, 1.483_660_944_11, 1.002_275_143_34, 0.678_296_995_242, 0.466_224_900_598, 0.326_509_154_2,
    1.943_218_153_82, 2.047_930_730_64, 1.687_311_089_84, 1.230_566_696_3, 0.868_920_337_363, 0.612_809_916_68, 0.436_405_793_551,
    1.343_290_192_23, 1.092_056_358_62, 0.875_748_795_257, 0.670_882_927_016, 0.501_731_932_449, 0.372_504_254_596,
    0.772_819_797_575, 0.605_636_379_554, 0.483_094_056_92, 0.380_429_446_972, 0.295_774_038_565,
    0.448_996_256_676, 0.352_889_268_808, 0.283_006_984_131, 0.226_951_348_204,
    0.270_320_734_36, 0.215_017_739_696, 0.174_080_673_21,
    0.168_869_545_842, 0.136_153_931_001,
    0.109_083_846_276,
];

#[rustfmt::skip]
const CB: [f64; 36] = [
    1.911_130_969_27, 2.460_742_104_38, 1.182_841_847_39, 1.149_825_651_93, 1.050_170_747_88, 0.898_018_824_055, 0.747_253_920_39, 0.615_105_596_242,
    1.585_293_083_55, 1.213_632_500_36, 1.381_900_292_85, 1.331_001_899_72, 1.174_285_489_29, 0.996_404_342_439, 0.830_890_433_625,
    0.978_712_413_627, 1.026_245_060_78, 1.031_451_473_62, 0.960_060_382_087, 0.849_823_426_169, 0.731_221_236_837,
    0.861_317_501_629, 0.801_821_139_099, 0.751_437_590_932, 0.685_398_513_368, 0.608_694_761_374,
    0.676_555_426_187, 0.605_503_172_737, 0.550_020_136_68, 0.495_804_539_034,
    0.514_674_450_957, 0.454_353_482_512, 0.407_050_308_965,
    0.389_234_902_883, 0.342_353_999_733,
    0.295_530_605_237,
];

#[rustfmt::skip]
const CR: [f64; 36] = [
    2.038_719_785_02, 2.625_023_451_93, 1.261_809_428_86, 1.110_197_898_03, 1.013_977_514_69, 0.867_069_376_285, 0.721_500_455_585, 0.593_906_509_971,
    1.691_128_670_13, 1.171_805_698_21, 1.334_274_285_7, 1.285_130_061_98, 1.133_814_748_09, 0.962_064_122_248, 0.802_254_508_198,
    0.944_981_930_573, 0.990_876_405_848, 0.995_903_384_143, 0.926_972_725_286, 0.820_534_991_409, 0.706_020_324_706,
    0.831_632_933_426, 0.774_187_061_95, 0.725_539_939_514, 0.661_776_842_059, 0.587_716_619_023,
    0.653_238_524_286, 0.584_635_025_748, 0.531_064_164_893, 0.478_717_061_273,
    0.496_936_637_883, 0.438_694_579_826, 0.393_021_669_543,
    0.375_820_256_136, 0.330_555_063_063,
    0.285_345_396_658,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_symmetric_and_fall_from_low_to_high_frequencies() {
        for Weights { sensitivity, masking } in WEIGHTS {
            for (row, column) in (0..64).map(|index| (index / 8, index % 8)) {
                assert_eq!(sensitivity[8 * row + column], sensitivity[8 * column + row]);
                let root = f64::from(masking[8 * row + column]).sqrt() / f64::from(sensitivity[8 * row + column]);
                assert!((root - MASKING).abs() < 1e-7, "{row}, {column}: {root}");
            }
            let diagonal = |index: usize| sensitivity[9 * index];
            assert!((1..7).all(|index| diagonal(index) > diagonal(index + 1)));
        }
        assert_eq!(WEIGHTS[0].sensitivity[8 * 3 + 5], 0.483_094_06);
        assert_eq!(WEIGHTS[1].sensitivity[63], 0.295_530_62);
        assert_eq!(WEIGHTS[2].sensitivity[8], 2.625_023_4);
    }
}
