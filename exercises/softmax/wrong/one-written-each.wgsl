// diagnosis: one-written-each
// title: Only the first elements of each row were replaced, as many as the workgroup has
//   invocations.
// why: The sum is the sum of the whole row, but each invocation replaced only one element. If a row
//   has more elements than the workgroup has invocations, each must replace several.
// ask: A workgroup has 32 invocations, and a row has 63 columns. Which invocation replaces column 32?
// Each invocation replaces its element.
const SIZE = 32u;
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
    let start = row * dims.cols;
    if (row >= dims.rows) {
        return;
    }
    var mine = -3.4e38;
    for (var c = me; c < dims.cols; c += SIZE) {
        mine = max(mine, data[start + c]);
    }
    partial[me] = mine;
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            partial[me] = max(partial[me], partial[me + half]);
        }
        workgroupBarrier();
    }
    let largest = partial[0];
    workgroupBarrier();
    mine = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        mine += exp(data[start + c] - largest);
    }
    partial[me] = mine;
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            partial[me] = partial[me] + partial[me + half];
        }
        workgroupBarrier();
    }
    let total = partial[0];
    for (var c = me; c < min(dims.cols, SIZE); c += SIZE) {
        data[start + c] = exp(data[start + c] - largest) / total;
    }
}
