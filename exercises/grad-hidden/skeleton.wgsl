// grad-hidden: dh = d · wᵀ, and 0 where hidden is 0; d (m × n), w (k × n), hidden and dh (m × k)
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> d: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> hidden: array<f32>;
@group(0) @binding(4) var<storage, read_write> dh: array<f32>;

@compute @workgroup_size(16, 16)
fn main(
    // Your line goes here: the parameter of main.
) {
    // Your lines go here.
}
