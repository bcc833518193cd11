// train/gradient-relu: how the loss changes with each input of relu.
//
// The layers were hidden = relu(z), then out = hidden * w + bias. A hidden number
// reaches the loss through every output that it feeds: d_hidden = d_out * wᵀ.
// Where relu made it 0, a small change of z changes nothing: d_z is 0.
//
// hidden and d_z are m × k, d_out is m × n, w is k × n. One invocation computes
// one element of d_z.

struct Dims {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> d_out: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> hidden: array<f32>;
@group(0) @binding(4) var<storage, read_write> d_z: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let column = id.x;
    let row = id.y;
    if (column >= dims.k || row >= dims.m) {
        return;
    }
    var total = 0.0;
    if (hidden[row * dims.k + column] > 0.0) {
        for (var i = 0u; i < dims.n; i++) {
            total += d_out[row * dims.n + i] * w[column * dims.n + i];
        }
    }
    d_z[row * dims.k + column] = total;
}
