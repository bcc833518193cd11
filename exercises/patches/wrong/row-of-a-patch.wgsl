// diagnosis: row-stride
// title: Your shader assumes that rows of the image are as long as rows of a patch.
// why: A row of the image has side pixels. So even inside a patch, the pixel below is side places
//   further on.
// ask: How far apart in memory are two pixels of a column?
// A row has p pixels.
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
    let row = top + id.x / params.p;
    let col = left + id.x % params.p;
    tokens[id.y * pixels + id.x] = image[row * params.p + col];
}
