// diagnosis: one-per-workgroup
// title: Your shader looks only at the first pixel of each workgroup.
// why: It counts only where local.x is 0, but each invocation has a pixel of its own.
// ask: Which invocations look at the other 63 pixels?
// One of them counts, then nothing can get lost.
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: array<atomic<u32>>; // one number

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    if (local.x == 0u && id.x < arrayLength(&image) && image[id.x] > 0.0) {
        atomicAdd(&total[0], 1u);
    }
}
