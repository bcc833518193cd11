// diagnosis: swapped-ids
// title: Your shader takes id.x for the patch and id.y for the pixel.
// why: The host covers the pixels of a patch with x and the patches with y. So if there are more
//   pixels than patches, some are never written.
// ask: For one patch of 33 × 33 pixels, are there more invocations in x or in y?
// x is the patch, y the pixel.
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
    if (id.y >= pixels || id.x >= across * across) {
        return;
    }
    let top = id.x / across * params.p;
    let left = id.x % across * params.p;
    let row = top + id.y / params.p;
    let col = left + id.y % params.p;
    tokens[id.x * pixels + id.y] = image[row * params.side + col];
}
