// goals: none
// Two loops, before and after the label.
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
    let at = start + label[row];
    let end = start + dims.cols;
    for (var i = start; i < at; i++) {
        d[i] = prob[i] / f32(dims.rows);
    }
    d[at] = prob[at] / f32(dims.rows) - 1.0 / f32(dims.rows);
    for (var i = at + 1u; i < end; i++) {
        d[i] = prob[i] / f32(dims.rows);
    }
    loss[row] = log(1.0 / prob[at]);
}
