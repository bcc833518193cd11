// diagnosis: no-lower-limit
// title: Values below 0 stay as they are.
// why: Only the upper limit was applied.
// ask: What should become of -0.3?
// Nothing is brighter than white.
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
        data[i] = min(params.gain * data[i] + params.shift, 1.0);
    }
}
