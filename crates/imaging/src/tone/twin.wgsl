// Levels and a tone curve. Follows reference.rs.

const INVOCATIONS: u32 = 64u;

struct Settings {
    // Samples of the raster.
    samples: u32,
    // Whether a curve follows the levels.
    curve: u32,
    black: f32,
    white: f32,
    // White less black.
    range: f32,
    // The inverse of the gamma.
    exponent: f32,
    output_black: f32,
    // What white becomes less what black becomes.
    output_range: f32,
    // The cubic of each quarter, the highest power first.
    cubics: array<vec4<f32>, 4>,
}

@group(0) @binding(0) var<storage, read> raster: array<f32>;
@group(0) @binding(1) var<uniform> settings: Settings;
@group(0) @binding(2) var<storage, read_write> toned: array<f32>;

fn levels(sample: f32) -> f32 {
    var level = 0.0;
    if sample >= settings.white {
        level = 1.0;
    } else if sample > settings.black {
        level = divide(seal_sub(sample, settings.black), settings.range);
    }
    if settings.exponent != 1.0 && level != 0.0 {
        level = math_pow(level, settings.exponent);
    }
    return unit(seal_add(settings.output_black, seal_mul(level, settings.output_range)));
}

fn curved(level: f32) -> f32 {
    let quarters = seal_mul(4.0, level);
    let quarter = min(u32(quarters), 3u);
    let t = seal_sub(quarters, f32(quarter));
    let cubic = settings.cubics[quarter];
    let square = seal_add(seal_mul(cubic.x, t), cubic.y);
    let slope = seal_add(seal_mul(square, t), cubic.z);
    return unit(seal_add(seal_mul(slope, t), cubic.w));
}

@compute @workgroup_size(INVOCATIONS)
fn tone(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = grid_invocation(workgroup_id, local, INVOCATIONS);
    if index >= settings.samples {
        return;
    }
    let level = levels(raster[index]);
    if settings.curve == 0u {
        toned[index] = level;
    } else {
        toned[index] = curved(level);
    }
}
