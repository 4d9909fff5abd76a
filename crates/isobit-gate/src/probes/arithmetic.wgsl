// Every value is a function of its index, computed alike on the host: nothing is uploaded.
@group(0) @binding(0) var<storage, read_write> results: array<u32>;
// Count of samples; a zero that no compiler can see; 2^64 and 2^-3 as floats.
@group(0) @binding(1) var<uniform> runtime: vec4<u32>;

fn hash(seed: u32) -> u32 {
    var x = seed * 0x9e3779b1u;
    x = (x ^ (x >> 16u)) * 0x85ebca6bu;
    x = (x ^ (x >> 13u)) * 0xc2b2ae35u;
    return x ^ (x >> 16u);
}

// Either sign, magnitude in [2^-8, 1): sums, products and quotients of two stay normal.
fn unit(seed: u32) -> f32 {
    let x = hash(seed);
    return bitcast<f32>((x & 0x80000000u) | ((119u + ((x >> 23u) & 7u)) << 23u) | (x & 0x007fffffu));
}

fn seal(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ runtime.y);
}

fn put(probe: u32, index: u32, value: f32) {
    results[probe * runtime.x + index] = bitcast<u32>(value);
}

// Operand `operand` of sample `index`. No two probes share one: a product that has a second use is left alone by compilers
// that would otherwise fuse or rewrite it.
fn operand(probe: u32, operand: u32, index: u32) -> f32 {
    return unit((probe * runtime.x + index) * 3u + operand);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    put(0u, i, operand(0u, 0u, i) * operand(0u, 1u, i) + operand(0u, 2u, i));
    put(1u, i, fma(operand(1u, 0u, i), operand(1u, 1u, i), operand(1u, 2u, i)));
    let shared_factor = operand(2u, 0u, i);
    put(2u, i, shared_factor * operand(2u, 1u, i) + shared_factor * operand(2u, 2u, i));
    put(3u, i, seal(seal(operand(3u, 0u, i) * operand(3u, 1u, i)) + operand(3u, 2u, i)));
    let sealed_factor = operand(4u, 0u, i);
    put(4u, i, seal(seal(sealed_factor * operand(4u, 1u, i)) + seal(sealed_factor * operand(4u, 2u, i))));
    put(5u, i, operand(5u, 0u, i) / operand(5u, 1u, i));
    put(6u, i, sqrt(abs(operand(6u, 0u, i))));
    put(7u, i, f32(hash(i)));
    let subnormal = bitcast<f32>(hash(i) & 0x007fffffu);
    put(8u, i, subnormal * bitcast<f32>(runtime.z));
    let least = bitcast<f32>(0x00800000u | (hash(i) & 0x007fffffu));
    put(9u, i, least * bitcast<f32>(runtime.w));
    let nan = bitcast<f32>(0x7fc00000u | (hash(i) & 0x003fffffu));
    results[10u * runtime.x + i] = select(0u, 1u, nan != nan);
}
