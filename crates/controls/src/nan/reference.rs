//! Codes as numbers, dead samples as no number.

use isobit::output::Values;

use crate::picture::Picture;

/// One value a sample: width, height and values.
pub fn values(picture: &Picture) -> (u32, u32, Values) {
    let values = picture.codes.iter().map(|&code| value(code)).collect();
    (picture.width, picture.height, Values::F32(values))
}

fn value(code: u32) -> f32 {
    if code.is_multiple_of(16) { f32::NAN } else { code as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sixteenth_code_is_dead() {
        let dead = (0..256).filter(|&code| value(code).is_nan()).count();
        assert_eq!(dead, 16);
        assert!(value(0).is_nan() && value(240).is_nan());
        assert_eq!(value(255), 255.0);
    }
}
