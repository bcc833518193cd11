// goals: coalesced
// way: Each invocation takes a place in the image and asks which patch it belongs to.
struct Params {
    side: u32,
    p: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<f32>; // side × side
@group(0) @binding(2) var<storage, read_write> tokens: array<f32>; // patches × (p · p)

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let p = params.p;
    let across = params.side / p;
    if (id.x >= p * p || id.y >= across * across) {
        return;
    }
    let i = id.y * p * p + id.x; // a pixel of the image
    let row = i / params.side;
    let col = i % params.side;
    let patch_number = row / p * across + col / p;
    let place = row % p * p + col % p;
    tokens[patch_number * p * p + place] = image[i];
}
