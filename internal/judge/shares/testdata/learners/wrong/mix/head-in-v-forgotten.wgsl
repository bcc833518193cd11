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

fn at(token: u32, head: u32, i: u32, heads: u32) -> u32 {
    return (token * heads + head) * params.d + i;
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    if (id.x >= params.d) { return; }
    if (id.y >= params.t) { return; }
    var s = 0.0;
    for (var j = 0u; j < params.t; j++) {
        let share = p[(id.z * params.t + id.y) * params.t + j];
        s += share * v[at(j, 0u, id.x, groups.z)];
    }
    out[at(id.y, id.z, id.x, groups.z)] = s;
}
