// diagnosis: ends-copied
// title: Your shader copies the first two and the last two numbers from x.
// why: Near the ends there are fewer than five numbers to add, but you still need a sum. Anything
//   outside counts as 0.
// ask: Which numbers of x does out[1] need?
// Near the ends, everything stays as it is.
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
    if (i < 2 || i >= n - 2) {
        out[i] = x[i];
        return;
    }
    var sum = 0.0;
    for (var t = 0; t < 5; t++) {
        let at = i + t - 2;
        if (at >= 0 && at < n) {
            sum += k[t] * x[at];
        }
    }
    out[i] = sum;
}
