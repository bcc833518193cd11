// patches: a square image is cut into squares, and each becomes one row of tokens.
//
// image has side × side pixels, in rows. A patch has p × p of them, so there are
// side / p patches in a row, and as many rows of patches. They are counted
// in rows, and so are the pixels of each: patch 1 is to the right of patch 0.
//
// No number changes; each gets a new place. After this, a row of tokens no longer says
// where its patch was.
//
// One invocation moves one pixel: id.x is its number in the patch, id.y the patch.

struct Params {
    side: u32,
    p: u32, // side is a multiple of it
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<f32>; // side × side
@group(0) @binding(2) var<storage, read_write> tokens: array<f32>; // patches × (p · p)

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let across = params.side / params.p; // patches in a row
    let pixels = params.p * params.p; // in a patch
    if (id.x >= pixels || id.y >= across * across) {
        return;
    }
    let row = (id.y / across) * params.p + id.x / params.p; // in the image
    let column = (id.y % across) * params.p + id.x % params.p;
    tokens[id.y * pixels + id.x] = image[row * params.side + column];
}
