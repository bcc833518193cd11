// diagnosis: neighbours-swapped
// title: Only neighbours changed places.
// why: Each pair is reversed, but the pairs are still in the same order.
// ask: Which element does invocation 0 need?
// Two by two.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

var<workgroup> kept: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let i = group.x * SIZE + me;
    kept[me] = data[i];
    workgroupBarrier();
    data[i] = kept[me ^ 1u];
}
