// sum-64: out[b] is the sum of block b of x, 64 elements; one workgroup takes one block
const SIZE = 64u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> acc: array<f32, SIZE>;
fn step(me: u32, half: u32) {
    workgroupBarrier();
    if (me < half) {
        acc[me] += acc[me + half];
    }
}

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    acc[local.x] = x[group.x * SIZE + local.x];
    for (var h = SIZE / 4u; h >= 1u; h /= 2u) {
        step(local.x, h);
    }
    if (local.x == 0u) { out[group.x] = acc[0]; }
}
