// diagnosis: only-exp
// title: The elements are exp(x): neither shifted nor divided by their sum.
// why: exp makes them positive. To be probabilities, they also have to sum to 1.
// ask: How do you make numbers that sum to 7.3 sum to 1?
// exp turns numbers into probabilities.
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    for (var c = local.x; c < dims.cols; c += SIZE) {
        data[group.x * dims.cols + c] = exp(data[group.x * dims.cols + c]);
    }
}
