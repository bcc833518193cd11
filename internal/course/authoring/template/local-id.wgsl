// diagnosis: local-id
// title: Only the elements of the first workgroup were written.
// why: local_invocation_id starts again at 0 in every workgroup. So all workgroups worked on the
//   same first elements, and none on the rest.
// ask: Which builtin keeps counting from one workgroup to the next?
// Each invocation has its number in local_invocation_id.
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&out)) {
        out[i] = x[i]; // TODO
    }
}
