// train/loss: how wrong the network is, and which direction makes it better.
//
// Softmax turns a row of scores into probabilities. The loss of a sample is -log
// of the probability of its true class (cross-entropy). Together they have a short
// gradient: d_score = probability - 1 for the true class, and probability for the
// others. The shader divides it by the number of rows, so that all gradients that
// follow are those of the mean loss.
//
// One invocation works on one sample. It replaces the row of scores by their
// gradient and stores the sample's loss, at the sample's place in the epoch.

struct Dims {
    rows: u32,
    cols: u32,
}

struct Clock {
    step: u32,
    first: u32,
    rate: f32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> clock: Clock;
@group(0) @binding(2) var<storage, read> order: array<u32>; // the epoch's samples, shuffled
@group(0) @binding(3) var<storage, read> labels: array<u32>;
@group(0) @binding(4) var<storage, read_write> scores: array<f32>;
@group(0) @binding(5) var<storage, read_write> losses: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    if (row >= dims.rows) {
        return;
    }
    let start = row * dims.cols;
    let label = labels[order[clock.first + row]];
    var largest = scores[start];
    for (var column = 1u; column < dims.cols; column++) {
        largest = max(largest, scores[start + column]);
    }
    var total = 0.0;
    for (var column = 0u; column < dims.cols; column++) {
        total += exp(scores[start + column] - largest);
    }
    losses[clock.first + row] = log(total) + largest - scores[start + label];
    for (var column = 0u; column < dims.cols; column++) {
        let probability = exp(scores[start + column] - largest) / total;
        let truth = select(0.0, 1.0, column == label);
        scores[start + column] = (probability - truth) / f32(dims.rows);
    }
}
