// sum-fast: out[b] is the sum of block b of x, 1,024 elements; one workgroup takes one block
const SIZE = 128u;
const BLOCK = 1024u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> p: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    for (var r = 0u; r < BLOCK / SIZE; r++) {
        p[me] = x[group.x * BLOCK + r * SIZE + me];
    }
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) { p[me] += p[me + half]; }
        workgroupBarrier();
    }
    if (me == 0u) { out[group.x] = p[0]; }
}
