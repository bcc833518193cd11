// goals: coalesced
// way: The workgroup fetches its part of x once, with two numbers more at each end.
struct Params {
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> k: array<f32>; // 5 numbers
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

var<workgroup> part: array<f32, 68>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    for (var j = local.x; j < 68u; j += 64u) {
        let at = group.x * 64u + j - 2u;
        if (at < params.n) {
            part[j] = x[at];
        } else {
            part[j] = 0.0;
        }
    }
    workgroupBarrier();
    let i = group.x * 64u + local.x;
    if (i < params.n) {
        var sum = 0.0;
        for (var t = 0u; t < 5u; t++) {
            sum += k[t] * part[local.x + t];
        }
        out[i] = sum;
    }
}
