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

fn b8(word: u32, i: u32) -> i32 {
    return i32(word << (24u - 8u * i)) >> 24u;
}

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= dims.n || id.y >= dims.m) { return; }
    let n = dims.k / 4u;
    var sum = 0;
    for (var i = 0u; i < n; i++) {
        for (var j = 0u; j < 3u; j++) {
            sum += b8(x[id.y * n + i], j) * b8(w[id.x * n + i], j);
        }
    }
    out[id.y * dims.n + id.x] = f32(sum) * x_scales[id.y] + bias[id.x];
}
