// goals: none
// way: A function says by what to multiply: 1 or the slope.
// A factor that is 1 or the slope, from a helper function.
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

fn factor(x: f32) -> f32 {
    if (x < 0.0) {
        return params.slope;
    }
    return 1.0;
}

@compute @workgroup_size(33)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = factor(data[i]) * data[i];
    }
}
