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
    let n = params.side / params.p;
    if (id.x < params.p * params.p && id.y < n * n) {
        let pr = id.y / n;
        let pc = id.y % n;
        let y = pr * params.p + id.x / params.p;
        let x = pc * params.p + id.x % params.p;
        tokens[id.y * params.p + id.x] = image[y * params.side + x];
    }
}
