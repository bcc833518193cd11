// diagnosis: race
// A loop, as on a CPU.
struct Params {
    gain: f32,
    shift: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var i = 0u; i < arrayLength(&data); i++) {
        data[i] = clamp(params.gain * data[i] + params.shift, 0.0, 1.0);
    }
}
