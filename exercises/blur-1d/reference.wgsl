// blur-1d: each number of out is a weighted sum of a number of x and its neighbours.
//
// Five weights slide along x: k[2] is on the number itself, k[0] two to its left,
// k[4] two to its right. With five times 0.2 the sum is the mean of five numbers, so
// x gets blurred; other weights find edges, or sharpen. Near the ends some of the
// five are outside of x. They count as 0.
//
// One invocation computes one number. Its neighbour needs four of the same five
// numbers, so nearly all of them are read five times.

struct Params {
    n: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> k: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = i32(params.n);
    let i = i32(id.x);
    if (i >= n) {
        return;
    }
    var sum = 0.0;
    for (var tap = 0; tap < 5; tap++) {
        let at = i + tap - 2; // may be below 0
        if (at >= 0 && at < n) {
            sum += k[tap] * x[at];
        }
    }
    out[i] = sum;
}
