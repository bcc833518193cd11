// goals: no bank conflicts
// way: It keeps the largest and the smallest element of each row, without abs.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

var<workgroup> above: array<f32, SIZE>;
var<workgroup> below: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    let start = group.x * dims.cols;
    let me = local.x;
    above[me] = data[start];
    below[me] = data[start];
    for (var c = me; c < dims.cols; c += SIZE) {
        above[me] = max(above[me], data[start + c]);
        below[me] = min(below[me], data[start + c]);
    }
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            above[me] = max(above[me], above[me + half]);
            below[me] = min(below[me], below[me + half]);
        }
    }
    workgroupBarrier();
    let magnitude = max(above[0], -below[0]);
    if (magnitude == 0.0) {
        return;
    }
    for (var c = me; c < dims.cols; c += SIZE) {
        data[start + c] /= magnitude;
    }
}
