// grad-weights: how the loss changes with each weight of a layer, xᵀ * d.
//
// The layer was out = x * w + bias, with a sample in each row of x (m × k), and d
// (m × n) says how the loss changes with each of its outputs. Weight (row, col) took
// input row of every sample to output col. So it counts once for each sample: that
// sample's input times that sample's d, added up.
//
// This is a matrix product whose first factor is read down its columns. The
// transposed matrix is never built. One invocation computes one element of dw (k × n).

struct Dims {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> d: array<f32>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    if (row >= dims.k || col >= dims.n) {
        return;
    }
    var total = 0.0;
    for (var s = 0u; s < dims.m; s++) {
        total += x[s * dims.k + row] * d[s * dims.n + col];
    }
    dw[row * dims.n + col] = total;
}
