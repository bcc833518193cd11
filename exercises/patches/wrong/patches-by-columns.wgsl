// diagnosis: patches-by-columns
// title: The patches are counted column by column.
// why: The patch after the first is the one below it, and it should be the one to its right. The
//   pixels in each patch are in order.
// ask: Which patch is number 1?
// Down first, then to the right.
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
    let row = id.y % across * params.p + id.x / params.p;
    let col = id.y / across * params.p + id.x % params.p;
    tokens[id.y * pixels + id.x] = image[row * params.side + col];
}
