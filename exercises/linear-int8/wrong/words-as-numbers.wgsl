// diagnosis: words-as-numbers
// title: Whole words were multiplied.
// why: A word is not a number here but four of them, next to each other.
// ask: What are the four numbers in the word 0x04030201?
// Words are multiplied.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<u32>;
@group(0) @binding(2) var<storage, read> x_scales: array<f32>;
@group(0) @binding(3) var<storage, read> w: array<u32>;
@group(0) @binding(4) var<storage, read> w_scales: array<f32>;
@group(0) @binding(5) var<storage, read> bias: array<f32>;
@group(0) @binding(6) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    if (row >= dims.m || col >= dims.n) {
        return;
    }
    let words = dims.k / 4u;
    var sum = 0;
    for (var i = 0u; i < words; i++) {
        sum += bitcast<i32>(x[row * words + i]) * bitcast<i32>(w[col * words + i]);
    }
    out[row * dims.n + col] = f32(sum) * (x_scales[row] * w_scales[col]) + bias[col];
}
