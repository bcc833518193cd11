// diagnosis: divide
// title: The result is a[0] / b[0].
// why: The two numbers were divided.
// ask: Which operator is between the two?
// A slip of the finger.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(1)
fn main() {
    out[0] = a[0] / b[0];
}
