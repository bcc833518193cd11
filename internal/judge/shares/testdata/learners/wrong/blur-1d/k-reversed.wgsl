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
    if (id.x >= params.n) { return; }
    var total = 0.0;
    var j = 0u;
    while (j < 5u) {
        let p = id.x + j - 2u;
        if (p < params.n) {
            total += x[p] * k[4u - j];
        }
        j++;
    }
    out[id.x] = total;
}
