// blur-1d: each out[i] is x[i - 2] to x[i + 2], times k[0] to k[4], added up; outside of x is 0
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> k: array<f32>; // 5 numbers
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

// Your lines go here: the struct Params, the binding params, and main.
