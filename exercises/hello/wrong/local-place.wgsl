// diagnosis: local-place
// title: All workgroups wrote to the elements of the first one.
// why: local_invocation_id starts again at 0 in every workgroup. You use it as the index to write
//   to, so the workgroups overwrite each other's elements and never reach the rest.
// ask: Which builtin keeps counting from one workgroup to the next?
// The number is global, the place is mine in the group.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    if (id.x < arrayLength(&out)) {
        out[local.x] = id.x;
    }
}
