// diagnosis: min
// title: The positive elements became 0 and the negative ones stayed.
// why: Your comparison points the wrong way, and the slope is not used.
// ask: Of -5 and 7.5, which one should change?
// min(x, 0) keeps the negative elements.
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
    data[i] = min(data[i], 0.0);
}
