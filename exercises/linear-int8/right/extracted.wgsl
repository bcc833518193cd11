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
        let a = bitcast<i32>(x[row * words + i]);
        let b = bitcast<i32>(w[col * words + i]);
        sum += extractBits(a, 0u, 8u) * extractBits(b, 0u, 8u);
        sum += extractBits(a, 8u, 8u) * extractBits(b, 8u, 8u);
        sum += extractBits(a, 16u, 8u) * extractBits(b, 16u, 8u);
        sum += extractBits(a, 24u, 8u) * extractBits(b, 24u, 8u);
    }
    out[row * dims.n + col] = f32(sum) * (x_scales[row] * w_scales[col]) + bias[col];
}
