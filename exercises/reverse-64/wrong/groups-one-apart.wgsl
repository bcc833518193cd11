// diagnosis: groups-one-apart
// title: Your blocks begin one element after another.
// why: The number of the workgroup counts blocks, and each has 64 elements.
// ask: Where in data does block 1 begin?
// Workgroup 1 begins one further.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

var<workgroup> kept: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let i = group.x + me;
    kept[me] = data[i];
    workgroupBarrier();
    data[i] = kept[SIZE - 1u - me];
}
