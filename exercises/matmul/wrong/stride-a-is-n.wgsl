// diagnosis: stride-a-n
// title: Your shader assumes that the rows of a are n elements long.
// why: Each matrix has its own row length. For a it is k; n is the row length of b and of the
//   output.
// ask: a is m × k. How many elements does one of its rows have?
// n is the row length of everything.
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
        sum += a[row * dims.n + i] * b[i * dims.n + col];
    }
    out[row * dims.n + col] = sum;
}
