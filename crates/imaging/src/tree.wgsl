// Sums over a workgroup of 64 invocations in the order of a tree. Follows tree.rs.

const TREE_BLOCK: u32 = 64u;

var<workgroup> tree_cells: array<vec4<f32>, TREE_BLOCK>;

fn tree_add(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(seal_add(a.x, b.x), seal_add(a.y, b.y), seal_add(a.z, b.z), seal_add(a.w, b.w));
}

// The sums of a block, for the first invocation of its workgroup. All must call it, in uniform control flow, and once.
fn tree_block(local: u32, terms: vec4<f32>) -> vec4<f32> {
    tree_cells[local] = terms;
    for (var half = TREE_BLOCK / 2u; half > 0u; half >>= 1u) {
        workgroupBarrier();
        if local < half {
            tree_cells[local] = tree_add(tree_cells[local], tree_cells[local + half]);
        }
    }
    return tree_cells[0];
}
