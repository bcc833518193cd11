// quiz-bits: bit b of out[i] is 1 where x[32 * i + b] is above the threshold, for n elements of x
struct Params {
    n: u32,
    threshold: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(
    // Your line goes here: the parameter of main.
) {
    // Your lines go here.
}
