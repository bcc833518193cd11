// goals: coalesced
struct Params {
    n: u32,
    mean: f32,
    stddev: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < params.n; i += 64u * groups.x) {
        let shift = (i - 4u * (i / 4u)) * 8u;
        let byte = (pixels[i / 4u] >> shift) & 0xffu;
        out[i] = (f32(byte) / 255. - params.mean) / params.stddev;
    }
}
