// diagnosis: local-place
// The number is global, the place is mine in the group.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {

    if (id.x < arrayLength(&out)) {
        out[local.x] = id.x;
    }
}
