// goals: coalesced
// way: The four are fetched into a vector, and its halves are compared.
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
    let out_size = vec2<u32>(params.w, params.h) / 2u;
    if (id.x >= out_size.x * out_size.y || id.y >= params.ch) {
        return;
    }
    let corner = 2u * vec2<u32>(id.x % out_size.x, id.x / out_size.x);
    let at = params.w * (params.h * id.y + corner.y) + corner.x;
    let four = vec4(x[at], x[at + 1u], x[at + params.w], x[at + params.w + 1u]);
    let two = max(four.xy, four.zw);
    out[id.y * out_size.x * out_size.y + id.x] = max(two.x, two.y);
}
