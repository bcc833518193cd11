// leaky-relu: negative numbers are multiplied by slope, the others stay.
//
// It works in place: one invocation runs for each element of data and replaces it.
// A negative number keeps a trace of itself, so a network can still learn from it.

struct Params {
    slope: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        let x = data[i];
        data[i] = select(x, params.slope * x, x < 0.0);
    }
}
