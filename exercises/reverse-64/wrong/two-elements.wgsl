// diagnosis: too-few-places
// title: Your workgroup memory is smaller than a block.
// why: All 64 elements have to be there before the first is taken out again.
// ask: How many invocations store an element before the barrier?
// Two elements change places, so two are kept.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

var<workgroup> kept: array<f32, 2>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let i = group.x * SIZE + me;
    kept[me] = data[i];
    workgroupBarrier();
    data[i] = kept[SIZE - 1u - me];
}
