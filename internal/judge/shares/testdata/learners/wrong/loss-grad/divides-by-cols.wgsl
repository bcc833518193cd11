// loss-grad: each sample's cross-entropy, and the gradient of their mean with respect to the scores
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
    if (id.x >= dims.rows) { return; }
    let n = f32(dims.cols);
    let first = id.x * dims.cols;
    let t = first + label[id.x];
    loss[id.x] = -log(prob[t]);
    var p = first;
    while (p < first + dims.cols) {
        d[p] = prob[p] / n;
        p++;
    }
    d[t] = (prob[t] - 1.0) / n;
}
