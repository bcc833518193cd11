// diagnosis: member-order
// The order of the members does not matter.
struct Params {
    shift: f32,
    gain: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = clamp(params.gain * data[i] + params.shift, 0.0, 1.0);
    }
}
