// goals: none
struct Params {
    n: u32,
    mean: f32,
    stddev: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < params.n) {
        var byte = pixels[i / 4u];
        switch (i % 4u) {
            case 0u: { byte &= 0xFFu; }
            case 1u: { byte = (byte >> 8u) & 0xFFu; }
            case 2u: { byte = (byte >> 16u) & 0xFFu; }
            default: { byte >>= 24u; }
        }
        let centred = f32(byte) * (1.0 / 255.0) - params.mean;
        out[i] = centred / params.stddev;
    }
}
