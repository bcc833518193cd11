// diagnosis: first-patch
// title: Every token is the first patch.
// why: Your index into image uses the pixel alone, and not id.y, the number of the patch.
// ask: What changes in the image from one patch to the next?
// id.x walks along the patch.
struct Params {
    side: u32,
    p: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<f32>; // side × side
@group(0) @binding(2) var<storage, read_write> tokens: array<f32>; // patches × (p · p)

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let across = params.side / params.p;
    let pixels = params.p * params.p;
    if (id.x >= pixels || id.y >= across * across) {
        return;
    }
    let top = 0u;
    let left = 0u;
    let row = top + id.x / params.p;
    let col = left + id.x % params.p;
    tokens[id.y * pixels + id.x] = image[row * params.side + col];
}
