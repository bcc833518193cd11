// patches: the image is cut into squares of p × p; id.y is a patch, id.x a pixel in it
struct Params {
    side: u32,
    p: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<f32>; // side rows of side pixels
@group(0) @binding(2) var<storage, read_write> tokens: array<f32>; // a row of p · p pixels for each patch

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // Your lines go here.
}
