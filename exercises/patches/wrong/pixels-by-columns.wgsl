// diagnosis: pixels-by-columns
// title: The pixels of each patch are walked column by column.
// why: The patches are in order, but each of them is transposed: its rows have become columns.
// ask: Where in the image is pixel 1 of a patch: to the right of pixel 0, or below it?
// x is the row.
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
    let top = id.y / across * params.p;
    let left = id.y % across * params.p;
    let row = top + id.x % params.p;
    let col = left + id.x / params.p;
    tokens[id.y * pixels + id.x] = image[row * params.side + col];
}
