// diagnosis: accumulated
// title: The result was added to the old contents of the output.
// why: `+=` reads the old value first, and an output buffer holds whatever was left in its memory.
//   The check fills it with NaN or an old number on purpose. NaN plus anything is NaN.
// ask: Do you want to add to the output or replace its value?
// += is how one adds.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(1)
fn main() {
    out[0] += a[0] + b[0];
}
