// diagnosis: one-element-each-or-zero
// title: Only the first elements of each row were searched, as many as the workgroup has
//   invocations.
// why: Each invocation looked at one element, and those without one stored 0. But a row can have
//   more elements than the workgroup has invocations, or be short and negative.
// ask: With 64 invocations and 1,000 columns, which invocation looks at column 64? With 10 columns,
//   what do the idle ones store?
// Workgroup memory starts empty.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> shared_max: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.x;
    let me = local.x;
    if (row >= dims.rows) {
        return;
    }

    if (me < dims.cols) {
        shared_max[me] = x[row * dims.cols + me];
    }
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            shared_max[me] = max(shared_max[me], shared_max[me + half]);
        }
        workgroupBarrier();
    }
    if (me == 0u) {
        out[row] = shared_max[0];
    }
}
