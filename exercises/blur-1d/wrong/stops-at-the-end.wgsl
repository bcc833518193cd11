// diagnosis: stops-at-the-end
// title: A place outside ends your whole sum.
// why: At the left end the first places are outside, and the ones after them are inside again.
//   `break` leaves those out as well.
// ask: For i = 0, which values of t have something to add?
// Outside, the loop is over.
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
        if (at < 0 || at >= n) {
            break;
        }
        sum += k[t] * x[at];
    }
    out[i] = sum;
}
