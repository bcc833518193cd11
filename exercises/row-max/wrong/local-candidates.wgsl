// diagnosis: own-copy
// The candidates are declared where they are used.
const SIZE = 64u; // a power of two
const LOWEST = -3.4028234e+38; // the lowest f32

struct Dims {
    rows: u32,
    cols: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.x;
    let me = local.x;
    var candidates: array<f32, SIZE>;
    if (row >= dims.rows) {
        return; // the whole workgroup returns, so no barrier is missed
    }
    var largest = LOWEST;
    for (var column = me; column < dims.cols; column += SIZE) {
        largest = max(largest, x[row * dims.cols + column]);
    }
    candidates[me] = largest;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            candidates[me] = max(candidates[me], candidates[me + half]);
        }
    }
    if (me == 0u) {
        out[row] = candidates[0];
    }
}
