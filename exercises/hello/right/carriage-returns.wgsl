// goals: coalesced
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {

    let i = id.x;
    let n = arrayLength(&out);
    if (i < n) {
        out[i] = u32(0) + i;
    }
}
