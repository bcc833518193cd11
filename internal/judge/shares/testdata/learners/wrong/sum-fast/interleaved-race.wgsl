// sum-fast: out[b] is the sum of block b of x, 1,024 elements; one workgroup takes one block
const SIZE = 128u;
const BLOCK = 1024u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> q: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    var s = 0.0;
    for (var i = 0u; i < 8u; i++) { s += x[group.x * BLOCK + me + SIZE * i]; }
    q[me] = s;
    workgroupBarrier();
    for (var gap = 1u; gap < SIZE; gap *= 2u) {
        if (me % (2u * gap) == 0u) {
            q[me] += q[me + gap];
        }
    }
    if (me == 0u) { out[group.x] = q[0]; }
}
