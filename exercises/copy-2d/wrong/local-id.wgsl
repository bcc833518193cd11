// diagnosis: local-id
// title: Only the first workgroup's corner of out was written.
// why: local_invocation_id starts again at (0, 0) in every workgroup. So all workgroups copied the
//   same corner, and none the rest.
// ask: Which builtin keeps counting from one workgroup to the next, in x and in y?
// The place in the workgroup is the place in the picture.
struct Params {
    w: u32,
    h: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // h rows of w
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // h rows of w

@compute @workgroup_size(16, 16)
fn main(@builtin(local_invocation_id) id: vec3<u32>) {
    if (id.x >= params.w || id.y >= params.h) {
        return;
    }
    let i = id.y * params.w + id.x;
    out[i] = x[i];
}
