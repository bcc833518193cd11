// diagnosis: stride-out-m
// title: Your shader assumes that the rows of the output are m elements long.
// why: Row-major means row * columns + column: two rows of the output are as many elements apart as
//   it has columns. With m instead, rows overwrite each other or leave gaps.
// ask: The output is m × n. How many elements does one of its rows have?
// The output has m rows, so row * m is where a row begins.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    if (row >= dims.m || col >= dims.n) {
        return;
    }
    var sum = 0.0;
    for (var i = 0u; i < dims.k; i++) {
        sum += a[row * dims.k + i] * b[i * dims.n + col];
    }
    out[row * dims.m + col] = sum;
}
