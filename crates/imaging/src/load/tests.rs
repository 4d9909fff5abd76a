//! Loading against values worked out by hand.

use isobit::frame::{Clip, Frame};

use super::*;

/// One frame of one plane, two samples of padding behind each row.
fn input(layout: Layout, depth: Depth, width: u32, height: u32, stored: &[u32]) -> Input {
    let shape = ClipShape::padded(Format::new(layout, depth), width, height, 2);
    let rows = stored.chunks(width as usize).flat_map(|row| {
        let samples = row.iter().chain(&[0xffff_ffff; 2]);
        samples.flat_map(|sample| sample.to_le_bytes()[..depth.bytes()].to_vec())
    });
    let plane = Plane::new(shape.planes[0], depth, rows.collect()).unwrap();
    Input::new(vec![Clip::new(shape, vec![Frame { planes: vec![plane] }]).unwrap()]).unwrap()
}

fn floats(samples: &[f32]) -> Vec<u32> {
    samples.iter().map(|sample| sample.to_bits()).collect()
}

#[test]
fn codes_are_parts_of_the_largest() {
    for depth in Depth::INTEGER {
        let max = depth.max_code().unwrap();
        let loaded = load(&input(Layout::Mono, depth, 3, 1, &[0, max / 3, max]), 0, 0);
        assert_eq!(loaded[0].samples, [0.0, (max / 3) as f32 / max as f32, 1.0]);
    }
}

#[test]
fn a_hole_is_the_mean_of_its_finite_neighbours_and_counts_nowhere() {
    let stored = [1.0, f32::NAN, 4.0, f32::INFINITY, 16.0, f32::NEG_INFINITY];
    let loaded = load(&input(Layout::Mono, Depth::F32, 3, 2, &floats(&stored)), 0, 0);
    assert_eq!(loaded[0].samples, [1.0, 7.0, 4.0, 8.5, 16.0, 10.0]);
    let alone = load(&input(Layout::Mono, Depth::F32, 1, 1, &floats(&[f32::NAN])), 0, 0);
    assert_eq!(alone[0].samples, [0.0]);
}

#[test]
fn a_mosaic_is_interpolated_within_each_colour() {
    let stored: Vec<f32> = (0..9u8).map(|index| f32::from(1u8 << index.min(7))).collect();
    // 1 2 4    R G R
    // 8 16 32  G B G
    // 64 128 128  R G R
    let [red, green, blue] =
        <[Raster; 3]>::try_from(load(&input(Layout::Bayer, Depth::F32, 3, 3, &floats(&stored)), 0, 0)).unwrap();
    assert_eq!(red.samples, [1.0, 2.5, 4.0, 32.5, 49.25, 66.0, 64.0, 96.0, 128.0]);
    assert_eq!(green.samples, [5.0, 2.0, 17.0, 8.0, 42.5, 32.0, 68.0, 128.0, 80.0]);
    assert_eq!(blue.samples, [16.0; 9]);
}

#[test]
fn a_flat_field_is_flat_in_every_layout() {
    for layout in [Layout::Mono, Layout::Bayer] {
        for raster in load(&input(layout, Depth::U12, 5, 4, &[1365; 20]), 0, 0) {
            assert_eq!(raster.samples, [1365.0f32 / 4095.0; 20]);
        }
    }
}
