// goals: coalesced
struct Params { n: u32, mean: f32, stddev: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

const WHITE = 255.0;

fn byteAt(i: u32) -> u32 {
    return extractBits(pixels[i >> 2u], (i & 3u) << 3u, 8u);
}

@compute @workgroup_size(100)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if i < params.n {
        out[i] = (f32(byteAt(i)) / WHITE - params.mean) / params.stddev;
    }
}
