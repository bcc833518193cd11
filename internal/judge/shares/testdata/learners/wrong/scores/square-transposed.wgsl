// scores: for each head, each query times each key, divided by the root of d;
// id.x is the key, id.y the query, id.z the head
struct Params {
    t: u32,
    d: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> q: array<f32>; // t × heads × d
@group(0) @binding(2) var<storage, read> k: array<f32>; // t × heads × d
@group(0) @binding(3) var<storage, read_write> s: array<f32>; // heads × t × t

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let h = groups.z;
    let d = params.d;
    if (id.x >= params.t) { return; }
    if (id.y >= params.t) { return; }
    var acc = 0.0;
    var i = d;
    while (i > 0u) {
        i--;
        acc = fma(q[(id.y * h + id.z) * d + i], k[(id.x * h + id.z) * d + i], acc);
    }
    let row = id.z * params.t + id.x;
    s[row * params.t + id.y] = acc / sqrt(f32(d));
}
