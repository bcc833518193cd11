// diagnosis: copy-b
// title: The result is b[0] alone.
// why: Only the second buffer reached the output. A second assignment to out[0] replaces what the
//   first one wrote.
// ask: What happened to a[0]?
// First put a there, then b on top of it.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(1)
fn main() {
    out[0] = a[0];
    out[0] = b[0];
}
