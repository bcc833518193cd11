// hello: every invocation writes its own number: out[i] = i.
const elements = 16u;

@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let me = id.x;
    if (me < elements) {
        out[me] = me;
    }
}
