// goals: coalesced
// The two lines that aren't needed stay in the comment, as the task says.
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
    v[i] *= params.keep; // what is left from the steps before
    v[i] += g[i]; // and this step's gradient
    w[i] -= params.rate * v[i];

    /*
    if (i >= arrayLength(&w)) {
    w[i] -= params.rate * g[i];
    */
}
