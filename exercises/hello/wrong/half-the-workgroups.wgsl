// diagnosis: none
// The share of a workgroup is 32 long, although it has 64 invocations.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let i = group.x * 32u + local.x;
    if (i < arrayLength(&out)) {
        out[i] = i;
    }
}
