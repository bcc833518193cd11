// diagnosis: scaled-at-the-ends
// title: Near the ends, your shader scales the sums up.
// why: Anything outside counts as 0. That makes a blurred picture darker at its edge, and the task
//   asks for just that.
// ask: For n = 1, what should out[0] be?
// Fewer numbers count more.
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
    var used = 0.0;
    for (var t = 0; t < 5; t++) {
        let at = i + t - 2;
        if (at >= 0 && at < n) {
            sum += k[t] * x[at];
            used += 1.0;
        }
    }
    out[i] = sum * 5.0 / used;
}
