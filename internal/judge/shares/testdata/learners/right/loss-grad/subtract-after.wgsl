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
    let share = 1.0 / f32(dims.rows);
    let first = id.x * dims.cols;
    let hit = first + label[id.x];
    loss[id.x] = log(1.0 / prob[hit]);
    for (var p = first + dims.cols; p > first; p--) {
        d[p - 1u] = prob[p - 1u] * share;
    }
    d[hit] -= share;
}
