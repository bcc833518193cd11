// goals: coalesced
// way: Every element first gets its probability. Then the label alone is corrected, so the loop
//   needs no branch.
// First every probability, then the correction at the label.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> prob: array<f32>;
@group(0) @binding(2) var<storage, read> label: array<u32>;
@group(0) @binding(3) var<storage, read_write> loss: array<f32>;
@group(0) @binding(4) var<storage, read_write> d: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    if (row >= dims.rows) {
        return;
    }
    let n = f32(dims.rows);
    for (var i = row * dims.cols; i < (row + 1u) * dims.cols; i++) {
        d[i] = prob[i] / n;
    }
    let mine = row * dims.cols + label[row];
    d[mine] -= 1.0 / n;
    loss[row] = -log(prob[mine]);
}
