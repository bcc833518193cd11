// diagnosis: flipped-kernel
// title: Your shader uses the weights of k from right to left.
// why: k[0] belongs to the number two to the left. You gave it to the one two to the right. If the
//   weights are the same from both ends, you see no difference.
// ask: Which number of k meets x[i + 2]?
// A convolution turns the kernel round.
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
            sum += k[4 - t] * x[at];
        }
    }
    out[i] = sum;
}
