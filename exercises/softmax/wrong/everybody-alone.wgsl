// diagnosis: race
// Each invocation works out the row for itself and replaces its own elements.
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let start = group.x * dims.cols;
    var largest = data[start];
    for (var c = 1u; c < dims.cols; c++) {
        largest = max(largest, data[start + c]);
    }
    var total = 0.0;
    for (var c = 0u; c < dims.cols; c++) {
        total += exp(data[start + c] - largest);
    }
    for (var c = local.x; c < dims.cols; c += SIZE) {
        data[start + c] = exp(data[start + c] - largest) / total;
    }
}
