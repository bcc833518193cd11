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

fn part(word: u32, i: u32) -> i32 {
    let up = word << (24u - 8u * i);
    return i32(up >> 24u);
}

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < dims.n) {
        if (id.y < dims.m) {
            let n = dims.k / 4u;
            var acc: i32 = 0;
            for (var p = 0u; p < dims.k; p++) {
                acc += part(x[id.y * n + p / 4u], p % 4u) * part(w[id.x * n + p / 4u], p % 4u);
            }
            out[id.y * dims.n + id.x] = bias[id.x] + f32(acc) * (x_scales[id.y] * w_scales[id.x]);
        }
    }
}
