// train/gradient-bias: how the loss changes with each bias of a layer.
//
// A bias is added to every sample's output, so it counts once for each sample:
// d_bias is the sum of the rows of d_out (rows × cols). One invocation walks
// down one column.

struct Dims {
    rows: u32,
    cols: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> d_out: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_bias: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let column = id.x;
    if (column >= dims.cols) {
        return;
    }
    var total = 0.0;
    for (var row = 0u; row < dims.rows; row++) {
        total += d_out[row * dims.cols + column];
    }
    d_bias[column] = total;
}
