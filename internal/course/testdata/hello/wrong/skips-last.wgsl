// diagnosis: last-missing
// The last index is the length minus one, so I stop there.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {

    if (id.x < arrayLength(&out) - 1u) {
        out[id.x] = id.x;
    }
}
