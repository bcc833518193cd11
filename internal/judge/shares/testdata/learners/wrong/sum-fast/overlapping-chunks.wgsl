// sum-fast: out[b] is the sum of block b of x, 1,024 elements; one workgroup takes one block
const SIZE = 128u;
const BLOCK = 1024u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

const EACH = BLOCK / SIZE;
var<workgroup> own: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let first = group.x * BLOCK + local.x;
    var total = 0.0;
    for (var i = first; i < first + EACH; i++) {
        total += x[i];
    }
    own[local.x] = total;
    for (var h = SIZE / 2u; h > 0u; h /= 2u) {
        workgroupBarrier();
        if (local.x < h) { own[local.x] += own[local.x + h]; }
    }
    if (local.x == 0u) { out[group.x] = own[0]; }
}
