// Horizontal blur of codes with mirrored borders, one invocation a sample.

@group(0) @binding(2) var<storage, read_write> codes: array<u32>;

fn mirror(x: i32) -> u32 {
    let width = i32(shape.width);
    let folded = abs(x);
    return u32(select(2 * width - 2 - folded, folded, folded < width));
}

fn tap(x: i32, y: u32) -> u32 {
    return code(mirror(x), y);
}

@compute @workgroup_size(64)
fn blur(@builtin(global_invocation_id) id: vec3<u32>) {
    let index = id.x;
    if index >= shape.width * shape.height {
        return;
    }
    let x = i32(index % shape.width);
    let y = index / shape.width;
    let sum = tap(x - 2, y) + 4u * tap(x - 1, y) + 6u * tap(x, y) + 4u * tap(x + 1, y) + tap(x + 2, y);
    codes[index] = (sum + 8u) >> 4u;
}
