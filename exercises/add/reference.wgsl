// add: two numbers, one sum.
//
// A single invocation adds a[0] and b[0]. This is the smallest complete round
// trip: two buffers go in, and one comes back.

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(1)
fn main() {
    out[0] = a[0] + b[0];
}
