// diagnosis: whole-array
// title: The whole array was reversed, not each block.
// why: Each block stays where it is; only its own elements change places. Beyond the block,
//   elements belong to other workgroups, and no barrier waits for those.
// ask: With two blocks, where should element 0 end up: at 63 or at 127?
// The first element goes to the very end.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

var<workgroup> kept: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let i = group.x * SIZE + me;
    kept[me] = data[arrayLength(&data) - 1u - i];
    workgroupBarrier();
    data[i] = kept[me];
}
