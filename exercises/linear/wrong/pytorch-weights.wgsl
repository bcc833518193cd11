// diagnosis: transposed-b
// title: w was read as if it were transposed: along its rows instead of down its columns.
// why: w is k × n and row-major: the next element down a column is n elements further on. Your
//   shader took the next element in memory, or assumed rows of k elements.
// ask: You are at w[row i, this column]. How many elements further on is row i + 1 of the same
//   column?
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
