// linear-relu: out = max(x · w + bias, 0), for x (m × k), w (k × n) and a bias for each column
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

// Your lines go here: the struct Dims, the binding dims, and main.
