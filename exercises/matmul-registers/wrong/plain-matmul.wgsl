// diagnosis: one-each
// title: Only the top left of out was computed: one element per invocation.
// why: The host starts a quarter as many invocations in x and in y, since each of them makes 4 × 4
//   elements.
// ask: At which row of out does the block of the invocation at id.y = 1 begin?
// The shader of lesson 3.
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
    let row = id.y;
    let column = id.x;
    if (row >= dims.m || column >= dims.n) {
        return;
    }
    var sum = 0.0;
    for (var i = 0u; i < dims.k; i++) {
        sum += a[row * dims.k + i] * b[i * dims.n + column];
    }
    out[row * dims.n + column] = sum;
}
