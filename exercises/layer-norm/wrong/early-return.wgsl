// diagnosis: divergent-barrier
// An invocation without a column is done.
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>; // rows × cols
@group(0) @binding(2) var<storage, read> gain: array<f32>; // one for each column
@group(0) @binding(3) var<storage, read> bias: array<f32>; // one for each column
@group(0) @binding(4) var<storage, read_write> out: array<f32>; // rows × cols

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    if (me >= dims.cols) {
        return;
    }
    let start = group.x * dims.cols;
    let n = f32(dims.cols);
    var mine = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        mine += x[start + c];
    }
    let mean = sum(me, mine) / n;
    mine = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        let off = x[start + c] - mean;
        mine += off * off;
    }
    let variance = sum(me, mine) / n;
    let scale = 1.0 / sqrt(variance + 1e-5);
    for (var c = me; c < dims.cols; c += SIZE) {
        out[start + c] = (x[start + c] - mean) * scale * gain[c] + bias[c];
    }
}

// sum adds up what all invocations of the workgroup give it.
fn sum(me: u32, mine: f32) -> f32 {
    partial[me] = mine;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            partial[me] += partial[me + half];
        }
    }
    workgroupBarrier();
    let total = partial[0];
    workgroupBarrier();
    return total;
}
