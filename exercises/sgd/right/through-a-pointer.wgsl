// goals: coalesced
// way: A pointer names the weight once, and the step goes through it.
// The weight through a pointer, with several variables on the way.
struct Params {
    n: u32,
    rate: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read_write> w: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.n) { return; }
    let weight = &w[id.x];
    let slope = g[id.x];
    let before = *weight;
    *weight = before - slope * params.rate;
}
