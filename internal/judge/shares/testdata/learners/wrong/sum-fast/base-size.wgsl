// sum-fast: out[b] is the sum of block b of x, 1,024 elements; one workgroup takes one block
const SIZE = 128u;
const BLOCK = 1024u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> tree: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let start = group.x * SIZE + local.x;
    var acc = 0.0;
    for (var r = 0u; r < 8u; r++) {
        acc += x[start + r * SIZE];
    }
    tree[local.x] = acc;
    workgroupBarrier();
    var n = 64u;
    while (n >= 1u) {
        if (local.x < n) { tree[local.x] = tree[local.x] + tree[local.x + n]; }
        workgroupBarrier();
        n >>= 1u;
    }
    if (local.x == 0u) { out[group.x] = tree[0]; }
}
