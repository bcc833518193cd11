// layer-norm: each row of x (rows × cols) is moved and scaled to mean 0 and variance 1,
// then multiplied by gain and shifted by bias, which have a number for each column.
//
// However large the numbers of a layer get, the next one finds them in the same range.
//
// The variance is the mean of the squared differences from the mean. There is a shorter
// way, the mean of the squares minus the square of the mean, which needs one walk less.
// But it subtracts two large numbers that are nearly equal if the mean is far from 0,
// and what is left of them is mostly rounding. EPSILON keeps the root from being 0
// where all numbers of a row are equal.
//
// One workgroup works on one row: a tree for the mean, a second one for the variance.

const SIZE = 32u; // a power of two
const EPSILON = 1e-5;

struct Dims {
    rows: u32,
    cols: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>; // rows × cols
@group(0) @binding(2) var<storage, read> gain: array<f32>; // cols
@group(0) @binding(3) var<storage, read> bias: array<f32>; // cols
@group(0) @binding(4) var<storage, read_write> out: array<f32>; // rows × cols

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.x;
    let me = local.x;
    if (row >= dims.rows) {
        return; // the whole workgroup returns, so no barrier is missed
    }
    let start = row * dims.cols;

    var mine = 0.0;
    for (var column = me; column < dims.cols; column += SIZE) {
        mine += x[start + column];
    }
    let mean = sum(me, mine) / f32(dims.cols);

    mine = 0.0;
    for (var column = me; column < dims.cols; column += SIZE) {
        let difference = x[start + column] - mean;
        mine += difference * difference;
    }
    let variance = sum(me, mine) / f32(dims.cols);

    let scale = inverseSqrt(variance + EPSILON);
    for (var column = me; column < dims.cols; column += SIZE) {
        out[start + column] = (x[start + column] - mean) * scale * gain[column] + bias[column];
    }
}

// sum returns the sum of what all invocations of the workgroup give it, by halving.
fn sum(me: u32, mine: f32) -> f32 {
    workgroupBarrier(); // all have read the sum before: partial is free again
    partial[me] = mine;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            partial[me] += partial[me + half];
        }
    }
    workgroupBarrier();
    return partial[0];
}
