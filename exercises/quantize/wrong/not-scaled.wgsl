// diagnosis: not-scaled
// title: The scale was never used.
// why: A byte holds how many steps of the row's scale a number has. Without it, numbers beyond 127 don't fit.
// ask: What is the byte of 26 in a row with the scale 13?
// The numbers are rounded.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> scales: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= arrayLength(&out)) {
        return;
    }
    var word = 0u;
    for (var j = 0u; j < 4u; j++) {
        let q = i32(round(x[i * 4u + j]));
        word |= (u32(q) & 0xffu) << (8u * j);
    }
    out[i] = word;
}
