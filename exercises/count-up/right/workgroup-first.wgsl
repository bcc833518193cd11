// goals: coalesced
// way: Each workgroup counts in its own memory, and one of its invocations adds that to the total.
// Each workgroup counts in its own memory, then adds once.
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: array<atomic<u32>>; // one number

var<workgroup> here: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    if (id.x < arrayLength(&image) && image[id.x] > 0.0) {
        atomicAdd(&here, 1u);
    }
    workgroupBarrier();
    if (local.x == 0u) {
        atomicAdd(&total[0], atomicLoad(&here));
    }
}
