// goals: coalesced
// way: A function of its own, and a loop that would also serve fewer workgroups.
struct Params {
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let stride = groups.x * 64u;
    for (var i = id.x; i < params.n; i += stride) {
        out[i] = bent(x[i]);
    }
}

fn bent(y: f32) -> f32 {
    return 0.5 * y * (1.0 + tanh(0.7978846 * (y + 0.044715 * y * y * y)));
}
