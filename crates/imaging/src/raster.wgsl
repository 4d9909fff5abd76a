// The range in which filters keep samples. Follows raster.rs.

const RASTER_LEAST: u32 = 0x2b800000u;
const RASTER_GREATEST: u32 = 0x53800000u;

// A finite number, as bits, brought into the range of samples.
fn held(bits: u32) -> f32 {
    let magnitude = bits & 0x7fffffffu;
    if magnitude < RASTER_LEAST {
        return 0.0;
    }
    return bitcast<f32>((bits & 0x80000000u) | min(magnitude, RASTER_GREATEST));
}

// A finite number clipped to the range from 0 to 1, and held.
fn unit(x: f32) -> f32 {
    if x > 1.0 {
        return 1.0;
    }
    if x < 0.0 {
        return 0.0;
    }
    return held(bitcast<u32>(x));
}
