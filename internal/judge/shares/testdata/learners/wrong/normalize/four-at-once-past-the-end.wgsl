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
    // one invocation takes one word
    let first = id.x * 4u;
    if (first >= params.n) {
        return;
    }
    let p = (unpack4x8unorm(pixels[id.x]) - params.mean) / params.stddev;
    out[first] = p.x;
    out[first + 1u] = p.y;
    out[first + 2u] = p.z;
    out[first + 3u] = p.w;
}
