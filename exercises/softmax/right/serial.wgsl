// goals: no bank conflicts; few barriers
// One invocation does the whole row.
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3<u32>) {
    let start = group.x * dims.cols;
    let end = start + dims.cols;
    var largest = data[start];
    for (var i = start; i < end; i++) {
        largest = max(largest, data[i]);
    }
    var total = 0.0;
    for (var i = start; i < end; i++) {
        data[i] = exp(data[i] - largest);
        total += data[i];
    }
    for (var i = start; i < end; i++) {
        data[i] /= total;
    }
}
