// goals: coalesced
// The step in a function; plus a negative number.
struct Params {
    n: u32,
    rate: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read_write> w: array<f32>;

fn step_of(i: u32) -> f32 {
    return -(g[i] * params.rate);
}

@compute @workgroup_size(32, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= min(params.n, arrayLength(&w))) {
        return;
    }
    w[i] = w[i] + step_of(i);
}
