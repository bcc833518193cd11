// diagnosis: last-missing
// title: The last of the n elements was not updated.
// why: Your guard holds back one invocation too many. The last index is n - 1, and that invocation
//   still has work to do.
// ask: For n = 1: does invocation 0 get past your guard?
// n - 1 is the last, so I stop before it.
struct Params {
    alpha: f32,
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < params.n - 1u) {
        y[i] = params.alpha * x[i] + y[i];
    }
}
