// goals: coalesced
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // The surplus invocations repeat the last element: the same value again.
    let i = min(id.x, arrayLength(&out) - 1u);
    out[i] = i;
}
