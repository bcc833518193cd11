// linear-int8: out = x · w + bias, with x and w in signed bytes, four to a word, and a scale for each of their rows
@group(0) @binding(1) var<storage, read> x: array<u32>; // m rows of k / 4 words
@group(0) @binding(2) var<storage, read> x_scales: array<f32>;
@group(0) @binding(3) var<storage, read> w: array<u32>; // n rows of k / 4 words, one for each neuron
@group(0) @binding(4) var<storage, read> w_scales: array<f32>;
@group(0) @binding(5) var<storage, read> bias: array<f32>;
@group(0) @binding(6) var<storage, read_write> out: array<f32>;

// Your lines go here: the struct Dims, the binding dims, and main.
