// diagnosis: one-element
// title: Only one element of each 4 × 4 block was computed.
// why: The host starts one invocation for 16 elements of out. Yours computes one.
// ask: out is 8 × 8. How many invocations start, and how many elements are there for each?
// The shader of lesson 3, moved by four.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>; // m × k
@group(0) @binding(2) var<storage, read> b: array<f32>; // k × n
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // m × n

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = 4u * id.y;
    let column = 4u * id.x;
    if (row >= dims.m || column >= dims.n) {
        return;
    }
    var sum = 0.0;
    for (var i = 0u; i < dims.k; i++) {
        sum += a[row * dims.k + i] * b[i * dims.n + column];
    }
    out[row * dims.n + column] = sum;
}
