// goals: coalesced; writes each result once
// way: The shares of a tile of tokens go through workgroup memory.
struct Params {
    t: u32,
    d: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> p: array<f32>; // heads × t × t
@group(0) @binding(2) var<storage, read> v: array<f32>; // t × heads × d
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // t × heads × d

var<workgroup> shares: array<array<f32, 8>, 8>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let t = params.t;
    let width = groups.z * params.d;
    let place = id.z * params.d + min(id.x, params.d - 1u);
    let row = (id.z * t + min(id.y, t - 1u)) * t;
    var sum = 0.0;
    for (var first = 0u; first < t; first += 8u) {
        let count = min(8u, t - first);
        if (local.x < count) {
            shares[local.y][local.x] = p[row + first + local.x];
        }
        workgroupBarrier();
        for (var j = 0u; j < count; j++) {
            sum += shares[local.y][j] * v[(first + j) * width + place];
        }
        workgroupBarrier();
    }
    if (id.x < params.d && id.y < t) {
        out[id.y * width + place] = sum;
    }
}
