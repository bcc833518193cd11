// diagnosis: every-element
// The index has to be counted up.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var i = 0u;
    while (i < id.x) {
        i++;
    }
    if (i < arrayLength(&out)) {
        out[i] = i;
    }
}
