// softmax: every element of a row becomes exp(x - largest) / total, in place; one workgroup takes one row
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

var<workgroup> peak: array<f32, SIZE>;
var<workgroup> mass: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let lane = local.x;
    let offset = group.x * dims.cols;
    var mine = -3.4028234e38;
    for (var c = lane; c < dims.cols; c += SIZE) { mine = max(mine, data[offset + c]); }
    peak[lane] = mine;
    workgroupBarrier();
    for (var s = 16u; s > 0u; s >>= 1u) {
        if (lane < s) { peak[lane] = max(peak[lane], peak[lane + s]); }
        workgroupBarrier();
    }
    let largest = mine;
    var sum = 0.0;
    for (var c = lane; c < dims.cols; c += SIZE) {
        let e = exp(data[offset + c] - largest);
        data[offset + c] = e;
        sum += e;
    }
    mass[lane] = sum;
    workgroupBarrier();
    for (var s = 16u; s > 0u; s >>= 1u) {
        if (lane < s) { mass[lane] += mass[lane + s]; }
        workgroupBarrier();
    }
    for (var c = lane; c < dims.cols; c += SIZE) { data[offset + c] /= mass[0]; }
}
