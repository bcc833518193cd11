// diagnosis: only-the-gradient
// title: d is right, but loss was never written.
// why: The task has two results. The gradient needs no logarithm, but a person wants to see the
//   loss.
// ask: Which probability does the loss look at?
// The loss was only a step on the way.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> prob: array<f32>;
@group(0) @binding(2) var<storage, read> label: array<u32>;
@group(0) @binding(3) var<storage, read_write> loss: array<f32>;
@group(0) @binding(4) var<storage, read_write> d: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    if (row >= dims.rows) {
        return;
    }
    let start = row * dims.cols;
    let right = label[row];
    for (var c = 0u; c < dims.cols; c++) {
        let truth = select(0.0, 1.0, c == right);
        d[start + c] = (prob[start + c] - truth) / f32(dims.rows);
    }
}
