// diagnosis: no-max-subtraction
// title: The largest element was not subtracted, which works only for small elements.
// why: exp(89) is more than an f32 can hold, and exp(-110) is 0.
// ask: What is exp of an element of 100 in your shader?
// log of the sum of exp.
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
    var total = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        total += exp(x[start + c]);
    }
    shared_row[me] = total;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            shared_row[me] += shared_row[me + half];
        }
    }
    if (me == 0u) {
        out[group.x] = log(shared_row[0]);
    }
}
