// diagnosis: old-velocity
// title: The step used the velocity of the step before.
// why: When the weight moved, v did not hold this step's gradient yet.
// ask: In the very first step v is 0. How far does the weight go?
// First the step, then what to remember.
struct Params {
    n: u32,
    rate: f32,
    keep: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read_write> v: array<f32>;
@group(0) @binding(3) var<storage, read_write> w: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) {
        return;
    }
    w[i] -= params.rate * v[i];
    v[i] *= params.keep;
    v[i] += g[i];
}
