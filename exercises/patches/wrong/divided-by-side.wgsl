// diagnosis: divided-by-side
// title: The row and the column of a patch were found with the width in pixels.
// why: id.y counts patches, so you need the number of patches in a row, not the number of pixels.
// ask: With 4 patches in a row, in which row of patches is number 5?
// The width of the image finds the row.
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
    let top = id.y / params.side * params.p;
    let left = id.y % params.side * params.p;
    let row = top + id.x / params.p;
    let col = left + id.x % params.p;
    tokens[id.y * pixels + id.x] = image[row * params.side + col];
}
