// count-up: each invocation looks at one pixel, and counts it if it has ink.
//
// All of them add to the same number. atomicAdd reads, adds and writes in one step that no other
// invocation can come between, so no pixel is lost.

@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: array<atomic<u32>>; // one number

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&image) && image[i] > 0.0) {
        atomicAdd(&total[0], 1u);
    }
}
