// diagnosis: accumulated
// title: Your shader adds its result to the old contents of the output.
// why: `+=` reads the old value first, and an output buffer holds whatever was left in its memory.
//   The check fills it with NaN or an old number on purpose. NaN plus anything is NaN.
// ask: Do you want to add to the output or replace its value?
// Each term is added to out.
struct Params {
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> k: array<f32>; // 5 numbers
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = i32(id.x);
    let n = i32(params.n);
    if (i >= n) {
        return;
    }
    for (var t = 0; t < 5; t++) {
        let at = i + t - 2;
        if (at >= 0 && at < n) {
            out[i] += k[t] * x[at];
        }
    }
}
