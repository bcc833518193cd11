// diagnosis: not-the-largest
// title: The number that was subtracted is not the largest of its row.
// why: A larger element may be far above it. Then exp of their difference is more than an f32 can hold.
// ask: Which number does your shader subtract if a row is -100, 100?
// Any element will do, so that the numbers stay small.
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
    let largest = x[start];
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
