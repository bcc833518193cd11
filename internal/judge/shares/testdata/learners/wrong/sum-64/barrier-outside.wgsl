// sum-64: out[b] is the sum of block b of x, 64 elements; one workgroup takes one block
const SIZE = 64u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> sums: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let i = local.x;
    sums[i] = x[group.x * SIZE + i];
    workgroupBarrier();
    var span = SIZE / 2u;
    while (span > 0u) {
        if (i < span) {
            sums[i] += sums[i + span];
        }
        span = span / 2u;
    }
    if (i == 0u) {
        out[group.x] = sums[0];
    }
}
