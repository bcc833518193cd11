// diagnosis: local-id
// title: Only the elements of the first workgroup were written.
// why: local_invocation_id starts again at 0 in every workgroup. So all workgroups worked on the
//   same first elements, and none on the rest.
// ask: Which builtin keeps counting from one workgroup to the next?
// The local id is the index.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = max(data[i], 0.0);
    }
}
