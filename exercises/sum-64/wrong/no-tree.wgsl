// diagnosis: no-reduction
// title: The output holds only the first element of each block.
// why: All 64 elements are in workgroup memory, but nothing added them up.
// ask: Invocation 1 stored an element as well. Which line brings it into the sum?
// Element 0 knows the sum.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    partial[me] = x[group.x * SIZE + me];
    workgroupBarrier();
    if (me == 0u) {
        out[group.x] = partial[0];
    }
}
