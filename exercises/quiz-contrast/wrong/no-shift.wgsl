// diagnosis: no-shift
// title: The shift is missing.
// why: The new values are gain * x, between the two limits.
// ask: Where does params.shift come in?
// Gain is contrast.
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
        data[i] = clamp(params.gain * data[i], 0.0, 1.0);
    }
}
