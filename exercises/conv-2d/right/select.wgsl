// goals: coalesced; writes each result once
// way: Places outside are moved inside, and their weight is 0.
struct Params {
    w: u32,
    h: u32,
    ch: u32,
    filters: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // ch pictures, each h rows of w
@group(0) @binding(2) var<storage, read> weights: array<f32>; // filters × ch × 3 × 3
@group(0) @binding(3) var<storage, read> bias: array<f32>; // one for each filter
@group(0) @binding(4) var<storage, read_write> out: array<f32>; // a picture for each filter

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = params.w * params.h;
    if (id.x < size && id.y < params.filters) {
        let place = vec2<i32>(i32(id.x % params.w), i32(id.x / params.w));
        let last = vec2<i32>(i32(params.w), i32(params.h)) - 1;
        var sum = bias[id.y];
        var next = id.y * params.ch * 9u;
        for (var c = 0u; c < params.ch; c++) {
            for (var i = 0; i < 9; i++) {
                let wanted = place + vec2<i32>(i % 3, i / 3) - 1;
                let inside = clamp(wanted, vec2(0), last);
                let weight = select(0.0, weights[next], all(wanted == inside));
                sum = fma(weight, x[c * size + u32(inside.y) * params.w + u32(inside.x)], sum);
                next++;
            }
        }
        out[id.y * size + id.x] = sum;
    }
}
