// diagnosis: counts-blank
// title: Your shader counts the pixels without ink.
// why: Your test is true for paper and false for ink.
// ask: Which numbers does ink have?
// 0 is ink.
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: array<atomic<u32>>; // one number

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&image) && image[id.x] == 0.0) {
        atomicAdd(&total[0], 1u);
    }
}
