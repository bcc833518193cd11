// diagnosis: transposed-b
// w is stored as in PyTorch, one neuron a row.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let sample = id.y;
    let neuron = id.x;
    if (sample < dims.m && neuron < dims.n) {
        var sum = bias[neuron];
        for (var i = 0u; i < dims.k; i++) {
            sum += w[neuron * dims.k + i] * x[sample * dims.k + i];
        }
        out[sample * dims.n + neuron] = sum;
    }
}
