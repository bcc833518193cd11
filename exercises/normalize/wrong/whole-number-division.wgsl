// diagnosis: integer-division
// title: byte / 255 was computed with whole numbers, so only white is left.
// why: A u32 divided by a u32 is a u32: the fraction is dropped, and all bytes below 255 become 0.
// ask: When does the byte become an f32: before or after the division?
// Divide first, convert last.
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
    out[i] = (f32(byte / 255u) - params.mean) / params.stddev;
}
