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

fn at(word: u32, i: u32) -> i32 {
    return i32(word << (24u - 8u * i)) >> 24u;
}

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let ok = id.x < dims.n && id.y < dims.m;
    if (!ok) { return; }
    let len = dims.k / 4u;
    var s = 0;
    var i = 0u;
    while (i < len) {
        let a = x[id.y * len + i];
        let b = w[id.x * len + i];
        s += at(a, 0u) * at(b, 0u) + at(a, 1u) * at(b, 1u) + at(a, 2u) * at(b, 2u) + at(a, 3u) * at(b, 3u);
        i++;
    }
    let scale = x_scales[id.y] * w_scales[id.x];
    out[id.y * dims.n + id.x] = (f32(s) + bias[id.x]) * scale;
}
