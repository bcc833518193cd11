// row-max: out[row] is the largest number in that row of x (rows × cols).
//
// One workgroup works on one row. First each invocation finds the largest of its
// own numbers: every SIZE-th one, starting at its own index. Then the workgroup
// halves the SIZE candidates again and again: each invocation of the lower half
// compares its candidate with one of the upper half. After log2(SIZE) halvings,
// candidate 0 is the largest of all.

const SIZE = 64u; // a power of two
const LOWEST = -3.4028234e+38; // the lowest f32

struct Dims {
    rows: u32,
    cols: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> candidates: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.x;
    let me = local.x;
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
