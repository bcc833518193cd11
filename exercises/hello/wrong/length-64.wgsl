// diagnosis: fixed-length
// The workgroup has 64 invocations, so there are 64 elements.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < 64u) {
        out[id.x] = id.x;
    }
}
