// patches: the image is cut into squares of p × p, and each becomes a row of tokens;
// id.x is a pixel of a patch, id.y the patch
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
    let count = across * across;
    let area = params.p * params.p;
    let ok = id.x < area && id.y < count;
    if (ok) {
        var row = (id.y / across) * params.p;
        var col = id.y % across;
        row += id.x / params.p;
        col += id.x % params.p;
        tokens[id.y * area + id.x] = image[row * params.side + col];
    }
}
