// diagnosis: accumulated
// title: The result was added to the old contents of the output.
// why: `+=` reads the old value first, and an output buffer holds whatever was left in its memory.
//   The check fills it with NaN or an old number on purpose. NaN plus anything is NaN.
// ask: Do you want to add to the output or replace its value?
// First add a, then add b: += is adding.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&out)) {
        out[i] += a[i];
        out[i] += b[i];
    }
}
