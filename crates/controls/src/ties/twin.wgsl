// Codes narrowed by two bits, one invocation a sample.

@group(0) @binding(2) var<storage, read_write> codes: array<u32>;

fn narrowed(code: u32) -> u32 {
    let quotient = code / 4u;
    let remainder = code % 4u;
    let up = remainder > 2u || (remainder == 2u && quotient % 2u == 1u);
    return quotient + select(0u, 1u, up);
}

@compute @workgroup_size(64)
fn narrow(@builtin(global_invocation_id) id: vec3<u32>) {
    let index = id.x;
    if index >= shape.width * shape.height {
        return;
    }
    let largest = (1u << (shape.bits - 2u)) - 1u;
    codes[index] = min(narrowed(code(index % shape.width, index / shape.width)), largest);
}
