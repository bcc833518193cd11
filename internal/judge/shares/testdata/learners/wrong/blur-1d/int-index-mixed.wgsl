// blur-1d: each out[i] is x[i - 2] to x[i + 2], times k[0] to k[4], added up; outside of x is 0
struct Params {
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> k: array<f32>; // 5 numbers
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < params.n) {
        var sum = 0.0;
        for (var j = -2; j <= 2; j++) {
            let p = id.x + j;
            if (p < params.n) { sum += x[p] * k[j + 2]; }
        }
        out[id.x] = sum;
    }
}
