// diagnosis: shifted-by-one
// title: Each element moved on by one place.
// why: Every invocation took its neighbour's element. A mirrored place is near only in the middle
//   of the block.
// ask: Which element does invocation 0 need?
// Each takes its neighbour's element.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

var<workgroup> kept: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let i = group.x * SIZE + me;
    kept[me] = data[i];
    workgroupBarrier();
    data[i] = kept[(me + 1u) % SIZE];
}
