// linear-int8: out = x · w + bias, with x and w in signed bytes, four to a word, and a scale for each of their rows
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<u32>; // m rows of k / 4 words
@group(0) @binding(2) var<storage, read> x_scales: array<f32>;
@group(0) @binding(3) var<storage, read> w: array<u32>; // n rows of k / 4 words, one for each neuron
@group(0) @binding(4) var<storage, read> w_scales: array<f32>;
@group(0) @binding(5) var<storage, read> bias: array<f32>;
@group(0) @binding(6) var<storage, read_write> out: array<f32>;

fn byte(word: u32, i: u32) -> i32 {
    return i32((word >> (8u * i)) & 0xffu);
}

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let col = id.x;
    let row = id.y;
    if (row >= dims.m || col >= dims.n) { return; }
    let words = dims.k / 4u;
    var sum = 0;
    for (var i = 0u; i < words; i++) {
        for (var j = 0u; j < 4u; j++) {
            sum += byte(x[row * words + i], j) * byte(w[col * words + i], j);
        }
    }
    out[row * dims.n + col] = f32(sum) * x_scales[row] * w_scales[col] + bias[col];
}
