// normalize: bytes of an image become the numbers that the network was trained on.
//
// One invocation makes one number. It divides byte i of pixels by 255, which
// gives 0..1, then shifts and scales it by the mean and standard deviation of the
// training images. WGSL has no byte type: a word of 32 bits holds four bytes, with
// the first in its lowest 8 bits.

struct Params {
    n: u32, // number of bytes
    mean: f32,
    stddev: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) {
        return;
    }
    let word = pixels[i / 4u];
    let byte = (word >> (8u * (i % 4u))) & 0xffu;
    out[i] = (f32(byte) / 255.0 - params.mean) / params.stddev;
}
