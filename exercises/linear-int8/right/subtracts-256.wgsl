// goals: workgroups share what they fetch
// A byte from 128 on is 256 too large.
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
        for (var j = 0u; j < 4u; j++) {
            var a = i32((x[row * words + i] >> (8u * j)) & 0xffu);
            var b = i32((w[col * words + i] >> (8u * j)) & 0xffu);
            if (a > 127) {
                a -= 256;
            }
            if (b > 127) {
                b -= 256;
            }
            sum += a * b;
        }
    }
    out[row * dims.n + col] = bias[col] + x_scales[row] * f32(sum) * w_scales[col];
}
