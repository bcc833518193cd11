// diagnosis: no-bias
// title: The bias is missing.
// why: The result is max(x · w, 0). bias is bound, but none of it reached the sum.
// ask: What should the output be if all of x is 0 and the bias is 2?
// The products from lesson 3, with a max.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    if (row >= dims.m || col >= dims.n) {
        return;
    }
    var sum = 0.0;
    for (var i = 0u; i < dims.k; i++) {
        sum += x[row * dims.k + i] * w[i * dims.n + col];
    }
    out[row * dims.n + col] = max(sum, 0.0);
}
