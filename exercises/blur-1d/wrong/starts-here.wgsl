// diagnosis: starts-at-itself
// title: Your five numbers begin at x[i] and go on to the right.
// why: A number looks to both sides: two to the left, itself, and two to the right.
// ask: At which t should your loop reach x[i]?
// The five numbers from here on.
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
        let at = i + t;
        if (at >= 0 && at < n) {
            sum += k[t] * x[at];
        }
    }
    out[i] = sum;
}
