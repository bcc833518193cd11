// diagnosis: fixed-slope-tenth
// title: Negative elements were multiplied by 0.1, whatever the slope.
// why: A slope is written into your shader. The host passes a different one each time, in params.
// ask: Where can your shader read the slope?
// A tenth is a usual slope.
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= arrayLength(&data)) {
        return;
    }
    if (data[i] < 0.0) {
        data[i] *= 0.1;
    }
}
