// diagnosis: last-tap-missing
// title: Your shader never uses the last of the five weights.
// why: The loop ends before t = 4, so x[i + 2] is missing from the sum.
// ask: Which values does t take?
// The last tap is number 4.
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
    var sum = 0.0;
    for (var t = 0; t < 4; t++) {
        let at = i + t - 2;
        if (at >= 0 && at < n) {
            sum += k[t] * x[at];
        }
    }
    out[i] = sum;
}
