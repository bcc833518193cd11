// diagnosis: only-exp
// exp makes numbers into probabilities.
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
