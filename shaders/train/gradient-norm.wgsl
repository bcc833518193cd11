// train/gradient-norm: how the loss changes with each input of layer-norm.
//
// layer-norm moves a row to mean 0 and scales it to variance 1, so two changes of a row
// change nothing: adding a number to all of it, and scaling it. The gradient therefore
// loses its mean, and its part along the normalised row.
//
// x also goes around the layer, into a sum. d_x is what the sum says of x, around, plus
// what layer-norm says. The shader also keeps d times the normalised row: its column sums
// are the gradient of the gain.
//
// One workgroup works on one row.

const SIZE = 32u; // a power of two
const EPSILON = 1e-5;

struct Dims {
    rows: u32,
    cols: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>; // rows × cols
@group(0) @binding(2) var<storage, read> gain: array<f32>; // cols
@group(0) @binding(3) var<storage, read> d: array<f32>; // rows × cols: of the output
@group(0) @binding(4) var<storage, read> around: array<f32>; // rows × cols
@group(0) @binding(5) var<storage, read_write> d_gain: array<f32>; // rows × cols
@group(0) @binding(6) var<storage, read_write> d_x: array<f32>; // rows × cols

var<workgroup> partial: array<vec2<f32>, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let start = group.x * dims.cols;
    let me = local.x;
    let n = f32(dims.cols);

    var mine = vec2(0.0);
    for (var column = me; column < dims.cols; column += SIZE) {
        mine.x += x[start + column];
    }
    let mean = sum(me, mine).x / n;
    mine = vec2(0.0);
    for (var column = me; column < dims.cols; column += SIZE) {
        let difference = x[start + column] - mean;
        mine.x += difference * difference;
    }
    let scale = inverseSqrt(sum(me, mine).x / n + EPSILON);

    mine = vec2(0.0);
    for (var column = me; column < dims.cols; column += SIZE) {
        let normal = (x[start + column] - mean) * scale;
        let slope = d[start + column] * gain[column];
        mine += vec2(slope, slope * normal);
    }
    let means = sum(me, mine) / n;
    for (var column = me; column < dims.cols; column += SIZE) {
        let normal = (x[start + column] - mean) * scale;
        let slope = d[start + column] * gain[column];
        d_gain[start + column] = d[start + column] * normal;
        d_x[start + column] = around[start + column] + scale * (slope - means.x - normal * means.y);
    }
}

// sum returns the sum of what all invocations of the workgroup give it, by halving.
fn sum(me: u32, mine: vec2<f32>) -> vec2<f32> {
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
