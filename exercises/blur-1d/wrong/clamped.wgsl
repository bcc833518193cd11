// diagnosis: padding-clamped
// title: Past the ends, your shader uses the first and the last number of x again.
// why: Anything outside counts as 0. Repeating the last number is another way to pad, but not the
//   one in this task.
// ask: According to the task, what is to the left of x[0]?
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
