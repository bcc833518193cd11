// diagnosis: off-by-one
// title: Each element came from one place too far.
// why: The places of the array are numbered from 0 to SIZE - 1. Invocation 0 looked at a place that
//   does not exist, and the others one beside theirs.
// ask: Which place does invocation 0 need? What does your formula give for it?
// The last is SIZE - me.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

var<workgroup> kept: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let i = group.x * SIZE + me;
    kept[me] = data[i];
    workgroupBarrier();
    data[i] = kept[SIZE - me];
}
