// diagnosis: gradient-of-probabilities
// title: d is the gradient with respect to the probabilities, not to the scores.
// why: -1/p is how the loss changes with the probability. The network makes scores, and softmax
//   turns them into probabilities.
// ask: What is left of the formula once softmax is taken into account?
// The derivative of -log(p) is -1/p.
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
    loss[row] = -log(prob[start + right]);
    for (var c = 0u; c < dims.cols; c++) {
        let truth = select(0.0, 1.0, c == right);
        d[start + c] = select(0.0, -1.0 / prob[start + c], c == right) / f32(dims.rows);
    }
}
