// grad-bias: how the loss changes with each bias of a layer.
//
// A bias is added to its neuron's output in every sample, so it counts once for
// each: db is the sum of each column of d (rows × cols). One invocation walks down
// one column, and its neighbours read neighbouring elements.

struct Dims {
    rows: u32,
    cols: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> d: array<f32>;
@group(0) @binding(2) var<storage, read_write> db: array<f32>;

@compute @workgroup_size(64)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
) {
    let col = id.x;
    if (col >= dims.cols) {
        return;
    }
    var total = 0.0;
    for (var row = 0u; row < dims.rows; row++) {
        total += d[row * dims.cols + col];
    }
    db[col] = total;
}
