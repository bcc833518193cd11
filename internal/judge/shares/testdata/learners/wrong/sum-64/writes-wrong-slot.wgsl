// sum-64: out[b] is the sum of block b of x, 64 elements; one workgroup takes one block
const SIZE = 64u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> part: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    part[me] = x[group.x * SIZE + me];
    for (var half = 32u; half > 0u; half >>= 1u) {
        workgroupBarrier();
        if (me < half) {
            part[me] = part[me] + part[me + half];
        }
    }
    if (me == 0u) {
        out[me] = part[me];
    }
}
