// diagnosis: workgroup-id
// title: All invocations of a workgroup wrote the workgroup's number.
// why: workgroup_id is the same for all invocations of a workgroup. It says which workgroup this
//   is, not which invocation.
// ask: How many different values does workgroup_id have, and how many do you need?
// I write the number of my workgroup.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
    if (id.x < arrayLength(&out)) {
        out[id.x] = group.x;
    }
}
