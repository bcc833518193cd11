// count-up: add 1 to total[0] for each element of image above 0
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: array<atomic<u32>>; // one number

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= arrayLength(&image)) {
        return;
    }
    if (image[i] >= 0.0) {
        atomicAdd(&total[0], 1u);
    }
}
