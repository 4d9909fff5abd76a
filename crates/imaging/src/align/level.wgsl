// What the passes of a search share. Follows Search of align.rs; the words of Level are those that append of device.rs gives it.

struct Level {
    width: u32,
    height: u32,
    // Columns and rows at each edge that are left out of the window.
    margin: u32,
    // Samples in each direction that are tried.
    radius: u32,
    // What the shift found before is multiplied by to be the centre.
    scale: u32,
    // Workgroups that share the window of a shift.
    blocks: u32,
    // The frame, and how many frames of the best rank are kept.
    frame: u32,
    keep: u32,
    // The greatest shift that counts, in sixteenths of a sample.
    farthest: i32,
}

@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var<storage, read> ranks: array<u32>;

// Whether the frame is among those that are kept; all others are passed over.
fn kept() -> bool {
    return ranks[level.frame] < level.keep;
}

// The shift from the centre that has number index in reading order.
fn step_of(index: u32) -> vec2<i32> {
    let across = 2u * level.radius + 1u;
    let y = index / across;
    return vec2<i32>(vec2<u32>(index - y * across, y)) - i32(level.radius);
}
