// diagnosis: fixed-mean
// title: MNIST's mean and stddev are written into the shader.
// why: 0.1307 and 0.3081 are right for MNIST. Other images need other numbers, and the host passes
//   them in params.
// ask: Where do params.mean and params.stddev come in?
// The numbers are in the text.
struct Params {
    n: u32,
    mean: f32,
    stddev: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) { return; }
    let byte = (pixels[i / 4u] >> (8u * (i % 4u))) & 0xffu;
    out[i] = (f32(byte) / 255.0 - 0.1307) / 0.3081;
}
