// The plane that a control computes from, packed as it is stored.

struct Shape {
    width: u32,
    height: u32,
    // Bytes from one row to the next.
    stride: u32,
    // Bytes of a sample.
    bytes: u32,
    // Significant bits of a sample.
    bits: u32,
    // A zero that no compiler can see.
    zero: u32,
    unused_0: u32,
    unused_1: u32,
}

@group(0) @binding(0) var<storage, read> picture: array<u32>;
@group(0) @binding(1) var<uniform> shape: Shape;

// The code whose bytes begin at byte `offset` of the plane.
fn code_at(offset: u32) -> u32 {
    return packed_sample(picture[offset / 4u], offset, shape.bits);
}

fn code(x: u32, y: u32) -> u32 {
    return code_at(y * shape.stride + x * shape.bytes);
}
