// diagnosis: no-slope
// title: Negative elements became 0: the slope was never used.
// why: That is plain relu. Here a negative element keeps a trace of itself: params.slope times its
//   value.
// ask: Where does params.slope come in?
// The shader from before.
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = max(data[i], 0.0);
    }
}
