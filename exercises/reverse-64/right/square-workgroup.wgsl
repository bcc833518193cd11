// goals: coalesced; no bank conflicts; few barriers
// A workgroup of 8 × 8, in memory of 8 × 8.
const SIDE = 8u;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

var<workgroup> square: array<array<f32, SIDE>, SIDE>;

@compute @workgroup_size(SIDE, SIDE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let i = (group.x * SIDE + local.y) * SIDE + local.x;
    square[local.y][local.x] = data[i];
    workgroupBarrier();
    data[i] = square[SIDE - 1u - local.y][SIDE - 1u - local.x];
}
