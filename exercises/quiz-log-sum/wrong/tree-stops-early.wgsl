// diagnosis: not-the-largest
// Down to one.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> shared_row: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    let start = group.x * dims.cols;
    let me = local.x;
    var best = -3.4028234e+38; // the lowest f32
    for (var c = me; c < dims.cols; c += SIZE) {
        best = max(best, x[start + c]);
    }
    shared_row[me] = best;
    for (var half = SIZE / 2u; half > 1u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            shared_row[me] = max(shared_row[me], shared_row[me + half]);
        }
    }
    workgroupBarrier();
    let largest = shared_row[0];
    workgroupBarrier(); // all have read it
    var total = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        total += exp(x[start + c] - largest);
    }
    shared_row[me] = total;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            shared_row[me] += shared_row[me + half];
        }
    }
    if (me == 0u) {
        out[group.x] = largest + log(shared_row[0]);
    }
}
