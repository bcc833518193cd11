// diagnosis: read-only
// let makes a variable.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(1)
fn main() {
    let sum = a[0];
    sum += b[0];
    out[0] = sum;
}
