// diagnosis: half-exchanged
// title: The two halves of each block changed places.
// why: Each half is still in its old order. Back to front means that the last element comes first.
// ask: Which element should be first: number 32 of the block or number 63?
// The second half comes first.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

var<workgroup> kept: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let i = group.x * SIZE + me;
    kept[me] = data[i];
    workgroupBarrier();
    data[i] = kept[(me + SIZE / 2u) % SIZE];
}
