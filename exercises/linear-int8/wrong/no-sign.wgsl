// diagnosis: no-sign-extension
// title: Negative bytes were read as large positive ones.
// why: Each byte became a number from 0 to 255. -1 is stored as 255: its sign bit has to be copied into the upper 24 bits.
//   That is the sign extension.
// ask: Which number does your shader read from the byte 0xff? Which one does it stand for?
// A byte is 8 bits.
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
            let a = i32((x[row * words + i] >> (8u * j)) & 0xffu);
            let b = i32((w[col * words + i] >> (8u * j)) & 0xffu);
            sum += a * b;
        }
    }
    out[row * dims.n + col] = f32(sum) * (x_scales[row] * w_scales[col]) + bias[col];
}
