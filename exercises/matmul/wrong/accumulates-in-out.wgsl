// diagnosis: accumulated
// title: The result was added to the old contents of the output.
// why: `+=` reads the old value first, and an output buffer holds whatever was left in its memory.
//   The check fills it with NaN or an old number on purpose. NaN plus anything is NaN.
// ask: Do you want to add to the output or replace its value?
// The output starts at zero, so the sum can be collected there.
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
    for (var i = 0u; i < dims.k; i++) {
        out[row * dims.n + col] += a[row * dims.k + i] * b[i * dims.n + col];
    }
}
