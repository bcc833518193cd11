// diagnosis: stores-one
// title: total[0] is 1 in the end, however much ink there is.
// why: atomicStore replaces the number that was there with a 1. Each invocation with ink does
//   that, and none adds.
// ask: What should happen to the number that is already there?
// One pixel with ink is a 1.
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: array<atomic<u32>>; // one number

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&image) && image[id.x] > 0.0) {
        atomicStore(&total[0], 1u);
    }
}
