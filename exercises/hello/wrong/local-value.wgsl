// diagnosis: local-value
// title: The values start again from zero in every workgroup.
// why: The index is right, but the value is the invocation's number inside its workgroup, which
//   starts again in each one.
// ask: Your index is right. Which number should the value be, counted over the whole dispatch?
// I write to my place and sign with my number in the group.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    if (id.x < arrayLength(&out)) {
        out[id.x] = local.x;
    }
}
