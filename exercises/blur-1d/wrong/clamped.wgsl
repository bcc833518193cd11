// diagnosis: padding-clamped
// title: Past the ends, the first and the last number of x were used again.
// why: Anything outside counts as 0. Repeating the last number is a way to pad as well, but not
//   the one that this task asks for.
// ask: What does x[0] have to its left, by the task?
// At the end, the last number goes on.
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
    for (var t = 0; t < 5; t++) {
        let at = i + t - 2;
        sum += k[t] * x[clamp(at, 0, n - 1)];
    }
    out[i] = sum;
}
