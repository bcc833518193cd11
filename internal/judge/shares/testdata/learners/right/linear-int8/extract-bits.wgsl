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

fn bytes_of(word: u32) -> vec4<i32> {
    let s = vec4<i32>(bitcast<i32>(word));
    return (s << vec4(24u, 16u, 8u, 0u)) >> vec4(24u);
}

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (all(id.xy < vec2(dims.n, dims.m))) {
        let n = dims.k / 4u;
        var sums = vec4<i32>();
        for (var i = n; i > 0u; i--) {
            sums += bytes_of(x[id.y * n + i - 1u]) * bytes_of(w[id.x * n + i - 1u]);
        }
        let sum = sums.x + sums.y + sums.z + sums.w;
        out[id.y * dims.n + id.x] = fma(f32(sum), x_scales[id.y] * w_scales[id.x], bias[id.x]);
    }
}
