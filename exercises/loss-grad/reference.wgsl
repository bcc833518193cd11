// loss-grad: how wrong the network is, and in which direction each score should move.
//
// prob is rows × cols, with the probabilities of a sample in each row, as softmax
// leaves them. The loss of a sample is -log of the probability of its label.
//
// d says how the mean loss changes with each score, the number before softmax.
// Softmax and -log together have a short gradient: the probability, minus 1 for the
// label. The division makes it that of the mean over all samples of the batch.
//
// One invocation works on one sample.

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
        d[start + c] = (prob[start + c] - truth) / f32(dims.rows);
    }
}
