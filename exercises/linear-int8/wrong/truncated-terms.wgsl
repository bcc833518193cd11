// diagnosis: scale-per-term
// title: Each term was scaled and cut off, so most of them became 0.
// why: Scaled terms have fractions, and a whole number can't hold them. Add up the whole numbers first: that is exact.
// ask: How large is a product of 50 after both scales, 0.02 and 0.005?
// Each term is scaled.
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
        sum += i32(f32(dot(unpack4xI8(x[row * words + i]), unpack4xI8(w[col * words + i]))) * x_scales[row] * w_scales[col]);
    }
    out[row * dims.n + col] = f32(sum) + bias[col];
}
