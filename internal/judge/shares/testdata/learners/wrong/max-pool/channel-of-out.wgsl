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
    let half_w = params.w / 2u;
    let count = half_w * (params.h / 2u);
    if (id.x < count && id.y < params.ch) {
        let start = id.y * count * 4u;
        let y = 2u * (id.x / half_w);
        let xx = 2u * (id.x % half_w);
        let p = start + y * params.w + xx;
        let four = vec4(x[p], x[p + 1u], x[p + params.w], x[p + params.w + 1u]);
        out[id.y * count + id.x] = max(max(four.x, four.y), max(four.z, four.w));
    }
}
