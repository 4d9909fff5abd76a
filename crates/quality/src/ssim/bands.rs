//! Bands of rows, so that no buffer of moments outgrows what a device binds at once.

use isobit::frame::{ClipShape, PlaneShape};

use super::reference::{RADIUS, TAPS};
use crate::planes;

/// Samples of which a device holds the moments in rows at a time: 64 MiB and 32 MiB.
const MOST_SAMPLES: u64 = 1 << 22;

/// Rows of a plane whose windows are summed up at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Band {
    /// The first row of windows.
    pub(super) first: u32,
    /// The row behind the last one.
    pub(super) end: u32,
    /// The first row that their windows reach.
    pub(super) top: u32,
    /// The row behind the last one that their windows reach.
    pub(super) bottom: u32,
}

/// The bands of a plane, from top to bottom.
pub(super) fn bands(plane: &PlaneShape) -> Vec<Band> {
    let radius = RADIUS as u32;
    let rows = (MOST_SAMPLES / u64::from(plane.width))
        .saturating_sub(2 * u64::from(radius))
        .max(1);
    let rows = u32::try_from(rows).unwrap_or(u32::MAX);
    let band = |first: u32| {
        let end = first.saturating_add(rows).min(plane.height);
        Band {
            first,
            end,
            top: first.saturating_sub(radius),
            bottom: end.saturating_add(radius).min(plane.height),
        }
    };
    (0..plane.height).step_by(rows as usize).map(band).collect()
}

/// Why a clip of this shape cannot be addressed by a twin.
pub(super) fn refuses(shape: &ClipShape) -> Option<String> {
    let widest = MOST_SAMPLES / TAPS.len() as u64;
    let width = shape.width;
    let narrow = u64::from(width) <= widest;
    planes::refuses(shape).or_else(|| {
        (!narrow).then(|| format!("rows of {width} samples, and a band of nine rows holds at most {widest} in each"))
    })
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bands_cover_every_row_once_and_hold_all_that_their_windows_reach(width in 1..=466_033u32, height in 1..40_000u32) {
            let bands = bands(&PlaneShape::tight(width, height, Depth::U8));
            let mut row = 0;
            for Band { first, end, top, bottom } in bands {
                prop_assert_eq!(first, row);
                prop_assert!(end > first);
                prop_assert_eq!((top, bottom), (first.saturating_sub(4), (end + 4).min(height)));
                prop_assert!(u64::from(bottom - top) * u64::from(width) <= MOST_SAMPLES);
                row = end;
            }
            prop_assert_eq!(row, height);
        }
    }

    #[test]
    fn rows_that_no_band_can_hold_are_refused() {
        let shape = |width, height| ClipShape::tight(Format::new(Layout::Yuv444, Depth::U16), width, height);
        assert_eq!(refuses(&shape(8192, 4320)), None);
        assert_eq!(refuses(&shape(1, 1)), None);
        assert_eq!(refuses(&shape(466_033, 9)), None);
        let reason = refuses(&shape(466_034, 9)).unwrap();
        assert_eq!(
            reason,
            "rows of 466034 samples, and a band of nine rows holds at most 466033 in each"
        );
    }
}
