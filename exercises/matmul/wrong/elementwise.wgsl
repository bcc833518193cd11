// diagnosis: elementwise
// title: The matrices were multiplied element by element.
// why: An element of a matrix product isn't a single product. It takes a whole row of one matrix
//   and a whole column of the other.
// ask: Which elements of a and of b go into out[0]?
// A product of matrices multiplies the numbers in the same place.
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
    let i = row * dims.n + col;
    let sum = a[i] * b[i];
    out[row * dims.n + col] = sum;
}
