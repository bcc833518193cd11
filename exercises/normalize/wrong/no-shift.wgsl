// diagnosis: lowest-byte-only
// title: All four pixels of a word have the value of its lowest byte.
// why: The shift is missing or the same for all four pixels, so only the lowest byte was unpacked.
// ask: How many bits above pixel 0 does pixel 2 of a word begin?
// The mask takes one byte out.
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
    let byte = pixels[i / 4u] & 0xffu;
    out[i] = (f32(byte) / 255.0 - params.mean) / params.stddev;
}
