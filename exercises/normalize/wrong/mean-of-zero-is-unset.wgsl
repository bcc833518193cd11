// diagnosis: mean-of-zero-is-unset
// title: A mean of 0 was replaced by MNIST's.
// why: 0 is a mean like any other: then nothing is subtracted. The host always sets params.mean.
// ask: With a mean of 0, what should a pixel of 0 become?
// A mean that is not set is 0.
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
    let mean = select(params.mean, 0.1307, params.mean == 0.0);
    out[i] = (f32(byte) / 255.0 - mean) / params.stddev;
}
