// softmax: every element of a row becomes exp(x - largest) / total, in place; one workgroup takes one row
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

var<workgroup> shared_max: array<f32, SIZE>;
var<workgroup> shared_sum: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let i = local.x;
    let n = dims.cols;
    let base = group.x * n;
    var hi = -3.4028234e38;
    for (var c = i; c < n; c += SIZE) { hi = max(hi, data[base + c]); }
    shared_max[i] = hi;
    for (var h = SIZE / 2u; h > 0u; h /= 2u) {
        workgroupBarrier();
        if (i < h) { shared_max[i] = max(shared_max[i], shared_max[i + h]); }
    }
    workgroupBarrier();
    let largest = shared_max[0];
    var sum = 0.0;
    for (var c = i; c < n; c += SIZE) { sum += exp(data[base + c] - largest); }
    shared_sum[i] = sum;
    for (var h = SIZE / 2u; h > 0u; h /= 2u) {
        workgroupBarrier();
        if (i < h) { shared_sum[i] += shared_sum[i + h]; }
    }
    workgroupBarrier();
    let total = shared_sum[0];
    for (var c = i; c < n; c += SIZE) {
        data[base + c] = exp(data[base + c] - largest);
    }
}
