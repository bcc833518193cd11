// goals: coalesced; no bank conflicts; few barriers
// way: In the tree, the sums to add are 1, 2, 4, … apart: right, but idle invocations are among working ones.
const SIZE = 128u;
const BLOCK = 1024u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    var sum = 0.0;
    for (var i = me; i < BLOCK; i += SIZE) {
        sum += x[group.x * BLOCK + i];
    }
    partial[me] = sum;
    workgroupBarrier();
    for (var step = 1u; step < SIZE; step *= 2u) {
        if (me % (2u * step) == 0u) {
            partial[me] += partial[me + step];
        }
        workgroupBarrier();
    }
    if (me == 0u) {
        out[group.x] = partial[0];
    }
}
