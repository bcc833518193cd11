// diagnosis: not-a-statement
// The type comes first.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {

    u32 i = id.x;
    out[i] = i;
}
