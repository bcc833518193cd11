// diagnosis: only-the-loss
// title: loss is right, but d was never written.
// why: The task has two results. Training goes on with d; the loss is for people.
// ask: Which buffer does the next kernel of the backward pass read?
// The loss is what counts.
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
}
