// hello: every invocation writes its own number: out[i] = i.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) id: vec3<u32>) {
    let mine = id.x;
    let count = arrayLength(&out);
    if (mine >= count) {
        return;
    }
    out[mine] = mine;
}
