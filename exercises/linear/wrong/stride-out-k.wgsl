// diagnosis: stride-out-k
// title: Your shader assumes that the rows of the output are k elements long.
// why: k is the row length of x. Two rows of the output are as many elements apart as the output
//   has columns.
// ask: The output is m × n. How many elements does one of its rows have?
// k was the stride of a, so it is the stride here as well.
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
    out[row * dims.k + col] = sum + bias[col];
}
