// goals: coalesced
struct Params {
    n: u32,
    mean: f32,
    stddev: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // (byte / 255 - mean) / stddev = byte * scale - offset.
    let i = id.x;
    let scale = 1.0 / (255.0 * params.stddev);
    let offset = params.mean / params.stddev;
    if (i < arrayLength(&out)) {
        let byte = (pixels[i / 4u] >> (8u * (i % 4u))) % 256u;
        out[i] = f32(byte) * scale - offset;
    }
}
