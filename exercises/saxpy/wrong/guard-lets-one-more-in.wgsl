// diagnosis: guard-off-by-one
// title: One element too many was updated: y[n].
// why: The first n elements have the indices 0 to n - 1. Element n is the first one that should
//   stay untouched.
// ask: Which of <, <=, > and >= does your guard use?
// Up to n includes n.
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
    if (i <= params.n) {
        y[i] = params.alpha * x[i] + y[i];
    }
}
