// goals: coalesced
// Surplus invocations return first.
struct Params {
    gain: f32,
    shift: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= arrayLength(&data)) {
        return;
    }
    let v = params.gain * data[i] + params.shift;
    data[i] = select(min(v, 1.0), 0.0, v < 0.0);
}
