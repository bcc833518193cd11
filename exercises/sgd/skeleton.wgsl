// sgd: each of the first n weights takes a step downhill, rate times its gradient g; the rest stay
struct Params {
    n: u32,
    rate: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read_write> w: array<f32>;

@compute @workgroup_size(64)
fn main(
    // Your line goes here: the parameter of main.
) {
    // Your lines go here.
}
