// diagnosis: spread
// title: Each token holds pixels from all over the image.
// why: Pixels beside each other in a patch are beside each other in the image. Yours are further
//   apart: as far as the number of patches in a row.
// ask: How far is pixel 1 of a patch from pixel 0?
// A patch has every fourth pixel or so.
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
    let row = id.x / params.p * across + id.y / across;
    let col = id.x % params.p * across + id.y % across;
    tokens[id.y * pixels + id.x] = image[row * params.side + col];
}
