// goals: coalesced; no bank conflicts; few barriers
// The place in data from the global id; a number in place of the constant.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

var<workgroup> block: array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) k: u32) {
    block[63u - k] = data[id.x];
    workgroupBarrier();
    data[id.x] = block[k];
}
