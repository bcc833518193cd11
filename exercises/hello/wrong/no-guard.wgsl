// diagnosis: missing-guard
// There are as many invocations as elements, so nothing can go wrong.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    out[id.x] = id.x;
}
