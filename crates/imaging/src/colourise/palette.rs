//! The palettes: nine colours an eighth of the range apart, sRGB of 8 bits, with straight lines between.

/// Steps of a palette.
pub const STEPS: usize = 8;
/// Red, green and blue from 0 to 255, at 0, ⅛, … 1.
pub type Stops = [[u8; 3]; STEPS + 1];

/// The names of the palettes.
pub const PRESETS: &[&str] = &[
    "heat",
    "ice",
    "viridis",
    "sepia",
    "hydrogen_alpha",
    "calcium_k",
    "spectrum",
];

/// The palette of that name, which is one of [`PRESETS`]; any other has the first.
pub(super) fn stops(preset: &str) -> &'static Stops {
    match preset {
        "ice" => &ICE,
        "viridis" => &VIRIDIS,
        "sepia" => &SEPIA,
        "hydrogen_alpha" => &HYDROGEN_ALPHA,
        "calcium_k" => &CALCIUM_K,
        "spectrum" => &SPECTRUM,
        _ => &HEAT,
    }
}

/// Red over three eighths of the range, then green over three, then blue over two, as in the palette `hot` of plotting
/// programs.
pub const HEAT: Stops = [
    [0x00, 0x00, 0x00],
    [0x55, 0x00, 0x00],
    [0xaa, 0x00, 0x00],
    [0xff, 0x00, 0x00],
    [0xff, 0x55, 0x00],
    [0xff, 0xaa, 0x00],
    [0xff, 0xff, 0x00],
    [0xff, 0xff, 0x80],
    [0xff, 0xff, 0xff],
];

/// [`HEAT`] with red and blue exchanged.
pub const ICE: Stops = [
    [0x00, 0x00, 0x00],
    [0x00, 0x00, 0x55],
    [0x00, 0x00, 0xaa],
    [0x00, 0x00, 0xff],
    [0x00, 0x55, 0xff],
    [0x00, 0xaa, 0xff],
    [0x00, 0xff, 0xff],
    [0x80, 0xff, 0xff],
    [0xff, 0xff, 0xff],
];

/// Nine colours of viridis, by S. van der Walt and N. Smith for Matplotlib, in the public domain.
pub const VIRIDIS: Stops = [
    [0x44, 0x01, 0x54],
    [0x47, 0x2d, 0x7b],
    [0x3b, 0x52, 0x8b],
    [0x2c, 0x72, 0x8e],
    [0x21, 0x90, 0x8c],
    [0x27, 0xad, 0x81],
    [0x5d, 0xc8, 0x63],
    [0xaa, 0xdc, 0x32],
    [0xfd, 0xe7, 0x25],
];

/// Black through brown to cream, like a toned print; chosen here.
pub const SEPIA: Stops = [
    [0x00, 0x00, 0x00],
    [0x2b, 0x1d, 0x0e],
    [0x52, 0x3a, 0x20],
    [0x75, 0x57, 0x36],
    [0x96, 0x75, 0x50],
    [0xb4, 0x94, 0x6d],
    [0xd0, 0xb3, 0x8e],
    [0xe9, 0xd4, 0xb4],
    [0xff, 0xf4, 0xdc],
];

/// Black through red and orange to near white, as the sun is shown in the light of hydrogen at 656 nm; chosen here.
pub const HYDROGEN_ALPHA: Stops = [
    [0x00, 0x00, 0x00],
    [0x36, 0x05, 0x01],
    [0x6c, 0x0d, 0x02],
    [0x9f, 0x1b, 0x05],
    [0xcd, 0x31, 0x0b],
    [0xef, 0x55, 0x18],
    [0xff, 0x85, 0x33],
    [0xff, 0xbb, 0x70],
    [0xff, 0xf2, 0xd8],
];

/// Black through violet to near white, as the sun is shown in the light of calcium at 393 nm; chosen here.
pub const CALCIUM_K: Stops = [
    [0x00, 0x00, 0x00],
    [0x14, 0x06, 0x2e],
    [0x2a, 0x0e, 0x5c],
    [0x42, 0x1a, 0x8a],
    [0x5e, 0x2d, 0xb4],
    [0x7f, 0x4a, 0xd6],
    [0xa3, 0x74, 0xee],
    [0xcb, 0xaa, 0xfa],
    [0xf4, 0xec, 0xff],
];

/// Violet through blue, green and yellow to red, in the order of falling frequency; chosen here.
pub const SPECTRUM: Stops = [
    [0x30, 0x00, 0x50],
    [0x50, 0x00, 0xd0],
    [0x00, 0x30, 0xff],
    [0x00, 0xb0, 0xf0],
    [0x00, 0xd0, 0x60],
    [0x90, 0xe0, 0x00],
    [0xff, 0xe0, 0x00],
    [0xff, 0x70, 0x00],
    [0xd0, 0x00, 0x00],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_has_a_palette_of_its_own() {
        for (index, preset) in PRESETS.iter().enumerate() {
            for other in &PRESETS[..index] {
                assert_ne!(stops(preset), stops(other), "`{preset}` and `{other}`");
            }
        }
    }

    #[test]
    fn all_but_the_spectrum_brighten_from_step_to_step() {
        // Luma of BT.709 in parts of 10,000.
        let luma = |[r, g, b]: [u8; 3]| 2126 * u32::from(r) + 7152 * u32::from(g) + 722 * u32::from(b);
        for preset in PRESETS.iter().filter(|preset| **preset != "spectrum") {
            assert!(stops(preset).map(luma).is_sorted_by(|a, b| a < b), "`{preset}`");
        }
    }
}
