// diagnosis: copy-a
// title: The result is a[0] alone.
// why: Only the first buffer reached the output. b is bound, but never used.
// ask: Where does b[0] come in?
// First see whether a arrives at all.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(1)
fn main() {
    out[0] = a[0];
}
