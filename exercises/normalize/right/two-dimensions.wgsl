// goals: none
struct Params {
    n: u32,
    mean: f32,
    stddev: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.y > 0u || id.x >= params.n) { return; }
    let bits = 8u * (id.x % 4u); // in {0, 8, 16, 24} ✓
    out[id.x] = (f32((pixels[id.x / 4u] >> bits) & 0xffu) / 255.0 - params.mean) / params.stddev;
}
