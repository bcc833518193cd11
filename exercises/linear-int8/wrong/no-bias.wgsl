// diagnosis: no-bias
// title: The bias is missing.
// why: The result is x · w + bias. Your shader never adds bias.
// ask: What should out be if all bytes are 0?
// The products.
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
        sum += dot(unpack4xI8(x[row * words + i]), unpack4xI8(w[col * words + i]));
    }
    out[row * dims.n + col] = f32(sum) * (x_scales[row] * w_scales[col]);
}
