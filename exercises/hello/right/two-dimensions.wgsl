// goals: none
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(16, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // The dispatch counts workgroups of 16 in x; the second row has nothing to do.
    if (id.y == 0u && id.x < arrayLength(&out)) {
        out[id.x] = id.x;
    }
}
