// diagnosis: all-of-them
// title: The elements after the first n were changed as well.
// why: Your guard checks the length of the array. Only the first n elements are weights.
// ask: Which of the two guards leaves the rest alone?
// The array says how many weights there are.
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
    if (i >= arrayLength(&w)) {
        return;
    }
    v[i] *= params.keep;
    v[i] += g[i];
    w[i] -= params.rate * v[i];
}
