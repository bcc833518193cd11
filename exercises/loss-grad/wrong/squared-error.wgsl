// diagnosis: squared-error
// title: d is twice as large as it should be.
// why: The factor 2 comes from the derivative of a square. There is no square in the cross-entropy.
// ask: Where does your 2 come from?
// The loss is the square of the error, so 2 comes before it.
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
        d[start + c] = 2.0 * (prob[start + c] - truth) / f32(dims.rows);
    }
}
