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
    let i = id.x;
    if (i < params.n) {
        let shift = (i & 3u) << 3u;
        let value = f32((pixels[i >> 2u] >> shift) & 0xffu) / 255.0;
        out[i] = value - params.mean / params.stddev;
    }
}
