// goals: coalesced
// way: The places are unsigned: one to the left of x is very large, so a single comparison finds
//   both ends.
struct Params {
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> k: array<f32>; // 5 numbers
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.n) {
        return;
    }
    var sum = 0.0;
    for (var t = 0u; t < 5u; t++) {
        let at = id.x + t - 2u;
        if (at < params.n) {
            sum += k[t] * x[at];
        }
    }
    out[id.x] = sum;
}
