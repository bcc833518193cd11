// diagnosis: last-missing
// title: The last element was never written.
// why: Your guard holds back one invocation too many. With n elements the last index is n - 1, and
//   that invocation still has work to do.
// ask: For n = 1: does invocation 0 get past your guard?
// The last index is the length minus one, so the guard stops there.
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i + 1u >= arrayLength(&data)) {
        return;
    }
    if (data[i] < 0.0) {
        data[i] *= params.slope;
    }
}
