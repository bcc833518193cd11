// goals: coalesced
// way: fma multiplies and adds in one step; the minus goes to the rate.
// fma with a negative factor, inside the guard.
struct Params {
    n: u32,
    rate: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read_write> w: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < params.n) {
        w[id.x] = fma(-params.rate, g[id.x], w[id.x]);
    }
}
