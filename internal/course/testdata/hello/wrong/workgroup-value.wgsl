// diagnosis: workgroup-id
// I write the number of my workgroup.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {

    if (id.x < arrayLength(&out)) {
        out[id.x] = group.x;
    }
}
