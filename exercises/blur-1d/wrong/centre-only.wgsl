// diagnosis: centre-only
// title: Your shader uses only the number itself, none of its neighbours.
// why: Each number of out needs five numbers of x: two to the left, itself, and two to the right.
// ask: Which part of your shader reads x[i + 1]?
// Each number gets its weight.
struct Params {
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> k: array<f32>; // 5 numbers
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = i32(id.x);
    let n = i32(params.n);
    if (i >= n) {
        return;
    }
    out[i] = k[2] * x[i];
}
