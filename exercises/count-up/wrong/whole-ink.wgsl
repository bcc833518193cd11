// diagnosis: ink-cut-off
// title: Nothing is counted: your shader adds the ink itself, cut off to a whole number.
// why: Ink is between 0 and 1, and u32 keeps only what is before the point. That is 0 for all but
//   the darkest pixel.
// ask: A pixel with half its ink counts as much as a full one. How much is that?
// The sum of the image is the ink.
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: array<atomic<u32>>; // one number

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&image)) {
        atomicAdd(&total[0], u32(image[id.x] * 2.0));
    }
}
