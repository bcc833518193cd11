// diagnosis: missing-barrier
// Each has just written its own number, so it is there.
const SIZE = 32u; // a power of two
const LOWEST = -3.4028234e+38; // of all f32

struct Dims {
    rows: u32,
    cols: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.x;
    let me = local.x;
    if (row >= dims.rows) {
        return; // the whole workgroup returns, so no barrier is missed
    }
    let start = row * dims.cols;

    var mine = LOWEST;
    for (var column = me; column < dims.cols; column += SIZE) {
        mine = max(mine, data[start + column]);
    }
    partial[me] = mine;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            partial[me] = max(partial[me], partial[me + half]);
        }
    }
    workgroupBarrier();
    let largest = partial[0];
    workgroupBarrier(); // all have read it: partial can be used again

    mine = 0.0;
    for (var column = me; column < dims.cols; column += SIZE) {
        mine += exp(data[start + column] - largest);
    }
    partial[me] = mine;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            partial[me] += partial[me + half];
        }
    }
    workgroupBarrier();
    let total = partial[0];

    for (var column = me; column < dims.cols; column += SIZE) {
        data[start + column] = exp(data[start + column] - largest) / total;
    }
}
