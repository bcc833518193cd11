// goals: coalesced; no bank conflicts; few barriers
// 32 invocations, each with an element of both halves.
const SIZE = 32u;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

var<workgroup> block: array<f32, 64>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let start = 64u * group.x;
    for (var k = local.x; k < 64u; k += SIZE) {
        block[k] = data[start + k];
    }
    workgroupBarrier();
    for (var k = local.x; k < 64u; k += SIZE) {
        data[start + k] = block[63u - k];
    }
}
