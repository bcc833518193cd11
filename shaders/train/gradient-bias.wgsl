// train/gradient-bias: how the loss changes with each bias of a layer.
//
// A bias is added to every sample's output, so it counts once for each sample:
// d_bias is the sum of the rows of d_out (rows × cols). One invocation walks
// down one column, or a part of it: if the dispatch is several workgroups deep, each
// depth adds up a part of the rows, and leaves a d_bias of its own.

struct Dims {
    rows: u32,
    cols: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> d_out: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_bias: array<f32>; // cols, for each depth

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let column = id.x;
    if (column >= dims.cols) {
        return;
    }
    let part = (dims.rows + groups.z - 1u) / groups.z;
    let end = min(dims.rows, (id.z + 1u) * part);
    var total = 0.0;
    for (var row = id.z * part; row < end; row++) {
        total += d_out[row * dims.cols + column];
    }
    d_bias[id.z * dims.cols + column] = total;
}
