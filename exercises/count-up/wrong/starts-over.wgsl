// diagnosis: starts-over
// title: The number that was there before is lost.
// why: Your shader sets total[0] to 0 first, but the task is to add to it. Each invocation does
//   so, even after others have counted.
// ask: Who gives total[0] its first value?
// Begin at zero.
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: array<atomic<u32>>; // one number

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x == 0u) {
        atomicStore(&total[0], 0u);
    }
    if (id.x < arrayLength(&image) && image[id.x] > 0.0) {
        atomicAdd(&total[0], 1u);
    }
}
