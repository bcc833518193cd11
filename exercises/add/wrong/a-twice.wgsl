// diagnosis: twice-a
// title: The result is a[0] + a[0].
// why: The same buffer was read twice.
// ask: Which two buffers are on the right-hand side?
// Copied the first half, forgot to change the name.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(1)
fn main() {
    out[0] = a[0] + a[0];
}
