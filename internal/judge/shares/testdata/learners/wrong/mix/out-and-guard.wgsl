// mix: for each head, each token takes from v as much of each token as its row of p says;
// id.x is a number of the head, id.y the token, id.z the head
struct Params {
    t: u32,
    d: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> p: array<f32>; // heads × t × t
@group(0) @binding(2) var<storage, read> v: array<f32>; // t × heads × d
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // t × heads × d

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let head = id.z;
    let token = id.y;
    if (id.x >= params.t || token >= params.t) { return; }
    var sum = 0.0;
    for (var j = 0u; j < params.t; j++) {
        sum += p[(head * params.t + token) * params.t + j] * v[(j * groups.z + head) * params.d + id.x];
    }
    out[(head * params.t + token) * params.d + id.x] = sum;
}
