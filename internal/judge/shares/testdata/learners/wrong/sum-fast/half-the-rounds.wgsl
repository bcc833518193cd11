// sum-fast: out[b] is the sum of block b of x, 1,024 elements; one workgroup takes one block
const SIZE = 128u;
const BLOCK = 1024u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> sums: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let base = group.x * BLOCK;
    var sum = 0.0;
    for (var i = me; i < BLOCK / 2u; i += SIZE) {
        sum += x[base + i];
    }
    sums[me] = sum;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) { sums[me] += sums[me + half]; }
    }
    if (me == 0u) { out[group.x] = sums[0]; }
}
