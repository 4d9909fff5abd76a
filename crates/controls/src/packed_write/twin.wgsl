// Samples scaled to sixteen bits, two to a word, one invocation a sample. A row begins at a whole word, so the two
// invocations of a word belong to one workgroup.

@group(0) @binding(2) var<storage, read_write> packed: array<u32>;

@compute @workgroup_size(64)
fn widen(@builtin(global_invocation_id) id: vec3<u32>) {
    let pitch = (shape.width + 1u) / 2u * 2u;
    let x = id.x % pitch;
    let y = id.x / pitch;
    let word = id.x / 2u;
    let inside = x < shape.width && y < shape.height;

    var before = 0u;
    var value = 0u;
    if inside {
        before = packed[word];
        value = code(x, y) << (16u - shape.bits);
    }
    // Between the barriers one invocation alone owns a word, so the loser of the race is decided on every driver.
    storageBarrier();
    if inside && x % 2u == 0u {
        packed[word] = (before & 0xffff0000u) | value;
    }
    storageBarrier();
    if inside && x % 2u == 1u {
        let current = packed[word];
        packed[word] = (current & 0x0000ffffu) | (value << 16u);
    }
}
