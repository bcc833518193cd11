// diagnosis: index-from-one
// title: out[0] was never written: the shader wrote past the end.
// why: A buffer with one number has one element, and its index is 0. The memory after it isn't
//   yours.
// ask: What is the first index of an array?
// The first element has the index 1.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(1)
fn main() {
    out[1] = a[1] + b[1];
}
