// diagnosis: shift-too-small
// title: The word was shifted by a number of bytes, not of bits.
// why: A shift counts bits, and a byte has 8 of them. Shifted by only 1, 2 and 3 bits, all four
//   pixels come from nearly the same byte.
// ask: How many bits above pixel 0 does pixel 2 of a word begin?
// Pixel 2 is two to the right.
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
    let byte = (pixels[i / 4u] >> (i % 4u)) & 0xffu;
    out[i] = (f32(byte) / 255.0 - params.mean) / params.stddev;
}
