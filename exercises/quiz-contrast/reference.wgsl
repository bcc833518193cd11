// quiz-contrast: every pixel x of data becomes gain * x + shift, but at least 0 and at most 1; in
// place.
//
// No pixel depends on another, so in place is safe. A gain above 1 pulls dark and bright apart,
// and clamp cuts off what leaves the range of a picture.

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
        data[i] = clamp(params.gain * data[i] + params.shift, 0.0, 1.0);
    }
}
