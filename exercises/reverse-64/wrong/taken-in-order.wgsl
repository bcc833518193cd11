// diagnosis: unchanged
// title: Nothing has changed.
// why: Each invocation took out the element that it had put in.
// ask: Which place of the array does invocation 0 need, and which does invocation 63?
// Take out of the array whatever is in it.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

var<workgroup> kept: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let i = group.x * SIZE + me;
    kept[me] = data[i];
    workgroupBarrier();
    data[i] = kept[me];
}
