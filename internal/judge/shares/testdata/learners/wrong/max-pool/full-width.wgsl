// max-pool: each number of out is the largest of 2 × 2 numbers of x; id.x is a place in out, id.y a channel
struct Params {
    w: u32,
    h: u32,
    ch: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // ch pictures, each h rows of w
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // ch pictures, each h / 2 rows of w / 2

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let ow = params.w / 2u;
    let oh = params.h / 2u;
    if (id.x < ow * oh && id.y < params.ch) {
        let row = id.x / params.w;
        let col = id.x % params.w;
        let corner = (id.y * params.h + 2u * row) * params.w + 2u * col;
        let upper = max(x[corner], x[corner + 1u]);
        let lower = max(x[corner + params.w], x[corner + params.w + 1u]);
        out[id.y * ow * oh + id.x] = max(upper, lower);
    }
}
