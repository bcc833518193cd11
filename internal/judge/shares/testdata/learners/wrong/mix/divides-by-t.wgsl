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
    let ok = id.x < params.d && id.y < params.t;
    if (!ok) { return; }
    var from_row = id.z * params.t * params.t + id.y * params.t;
    var val = id.z * params.d + id.x;
    var mixed = 0.0;
    for (var left = params.t; left > 0u; left--) {
        mixed += p[from_row] * v[val];
        from_row++;
        val += groups.z * params.d;
    }
    out[(id.y * groups.z + id.z) * params.d + id.x] = mixed / f32(params.t);
}
