// normalize: (byte/255 - mean) / stddev for n pixels, four of them in each word
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
    if (id.x < params.n) {
        let place = id.x & 3u;
        let shift = 24u - 8u * place;
        let v = (pixels[id.x >> 2u] >> shift) & 255u;
        out[id.x] = (f32(v) / 255.0 - params.mean) / params.stddev;
    }
}
