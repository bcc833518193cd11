// goals: coalesced
// way: WGSL has a function of its own for these two limits.
struct Params {
    gain: f32,
    shift: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = saturate(params.gain * data[i] + params.shift);
    }
}
