// diagnosis: transposed-b
// title: b was read as if it were transposed: along its rows instead of down its columns.
// why: b is k × n and row-major: the next element down a column is n elements further on. Your
//   shader took the next element in memory, or assumed rows of k elements.
// ask: You are at b[row i, this column]. How many elements further on is row i + 1 of the same
//   column?
// b's element i of this column is the i-th one of row col.
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
        sum += a[row * dims.k + i] * b[col * dims.k + i];
    }
    out[row * dims.n + col] = sum;
}
