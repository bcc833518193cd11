// diagnosis: halves-once
// title: Only two numbers reached the output: element 0 and the one half a block further on.
// why: One step leaves 32 numbers. Go on until a single one is left.
// ask: How many numbers are left after one step? After how many steps is it one?
// Half of them add what the other half has.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    partial[me] = x[group.x * SIZE + me];
    workgroupBarrier();
    let half = SIZE / 2u;
    if (me < half) {
        partial[me] += partial[me + half];
    }
    workgroupBarrier();
    if (me == 0u) {
        out[group.x] = partial[0];
    }
}
