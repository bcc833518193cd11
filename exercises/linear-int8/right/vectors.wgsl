// goals: coalesced; workgroups share what they fetch
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

fn four_bytes(word: u32) -> vec4<i32> {
    let moved = vec4<u32>(word << 24u, word << 16u, word << 8u, word);
    return bitcast<vec4<i32>>(moved) >> vec4<u32>(24u);
}

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
        sum += dot(four_bytes(x[row * words + i]), four_bytes(w[col * words + i]));
    }
    out[row * dims.n + col] = f32(sum) * (x_scales[row] * w_scales[col]) + bias[col];
}
