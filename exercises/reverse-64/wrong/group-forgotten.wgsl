// diagnosis: first-block
// title: Only the first block was reversed, perhaps several times.
// why: Your index into data doesn't use the workgroup's number, so all workgroups worked on the
//   same 64 elements.
// ask: Where in data does block 2 begin?
// The block is data[0] to data[63].
const SIZE = 64u;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

var<workgroup> kept: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let i = me;
    kept[me] = data[i];
    workgroupBarrier();
    data[i] = kept[SIZE - 1u - me];
}
