// diagnosis: overlapping
// title: The patches overlap: each begins one pixel after the one before.
// why: The number of a patch counts patches. The place where it begins counts pixels.
// ask: How many pixels are between the first columns of two neighbouring patches?
// The next patch is one to the right.
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
    let top = id.y / across;
    let left = id.y % across;
    let row = top + id.x / params.p;
    let col = left + id.x % params.p;
    tokens[id.y * pixels + id.x] = image[row * params.side + col];
}
