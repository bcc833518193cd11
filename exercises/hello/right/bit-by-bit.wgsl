// goals: coalesced
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // Many steps, but as many for each element, however long the buffer is.
    var i = 0u;
    for (var bit = 0u; bit < 32u; bit++) {
        i |= id.x & (1u << bit);
    }
    if (i < arrayLength(&out)) {
        out[i] = i;
    }
}
