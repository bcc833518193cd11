// goals: coalesced; no bank conflicts; few barriers
// Neighbours first: strides of 1, 2, 4 and so on.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    partial[me] = x[group.x * SIZE + me];
    workgroupBarrier();
    for (var stride = 1u; stride < SIZE; stride *= 2u) {
        if (me % (2u * stride) == 0u) {
            partial[me] += partial[me + stride];
        }
        workgroupBarrier();
    }
    if (me == 0u) {
        out[group.x] = partial[0];
    }
}
