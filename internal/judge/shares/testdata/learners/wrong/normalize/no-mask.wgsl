// normalize: (byte/255 - mean) / stddev for n pixels, four of them in each word
struct Params {
    n: u32,
    mean: f32,
    stddev: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

fn byte_at(i: u32) -> u32 {
    let word = pixels[i / 4u];
    return word >> (8u * (i % 4u));
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.n) {
        return;
    }
    let scaled = f32(byte_at(id.x)) / 255.0;
    out[id.x] = (scaled - params.mean) / params.stddev;
}
