@group(0) @binding(0) var<storage, read_write> out: array<u32>;

fn inside(i: u32) -> bool {
    return i < arrayLength(&out);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>,
        @builtin(local_invocation_index) own: u32) {
    if (inside(id.x)) {
        out[id.x] = own;
    }
}
