// diagnosis: local-id
// title: All workgroups moved the same first weights.
// why: local_invocation_id starts again at 0 in every workgroup. So no workgroup reached the
//   later weights.
// ask: Which builtin keeps counting from one workgroup to the next?
// Each invocation has its number in local_invocation_id.
struct Params {
    n: u32,
    rate: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read_write> w: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) {
        return;
    }
    w[i] -= params.rate * g[i];
}
