// goals: none
// way: The place in the workgroup is turned: neighbours differ in their row, and touch 16 sectors.
struct Params {
    w: u32,
    h: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // h rows of w
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // h rows of w

@compute @workgroup_size(16, 16)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.y * 16u + local.x;
    let column = group.x * 16u + local.y;
    if (row >= params.h || column >= params.w) {
        return;
    }
    out[row * params.w + column] = x[row * params.w + column];
}
