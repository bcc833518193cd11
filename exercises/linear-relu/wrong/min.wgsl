// diagnosis: min
// title: The output keeps the sums below zero and turns the others into 0.
// why: This is relu the wrong way round. (select takes the value for false first, then the value for
//   true.)
// ask: Of a sum and 0, which one should stay?
// What is above zero is cut off.
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
    var sum = bias[col];
    for (var i = 0u; i < dims.k; i++) {
        sum += x[row * dims.k + i] * w[i * dims.n + col];
    }
    out[row * dims.n + col] = min(sum, 0.0);
}
