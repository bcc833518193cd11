// diagnosis: counts-all
// title: Your shader counts all pixels, even those without ink.
// why: It never looks at what the pixel holds.
// ask: Which pixels should count?
// One for each invocation.
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: array<atomic<u32>>; // one number

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&image)) {
        atomicAdd(&total[0], 1u);
    }
}
