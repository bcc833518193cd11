// diagnosis: divided-by-five
// title: Your shader divides the sum by 5.
// why: k says how much each number counts. For a mean, k itself holds 0.2 five times.
// ask: What would your shader give for k = 0, 0, 1, 0, 0?
// A blur is a mean.
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
        if (at >= 0 && at < n) {
            sum += k[t] * x[at];
        }
    }
    out[i] = sum / 5.0;
}
