// hello: every invocation writes its own number: out[i] = i.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) wg: vec3<u32>,
        @builtin(local_invocation_id) local: vec3<u32>) {
    // my number in the whole dispatch
    let i = wg.x * 64u + local.x;
    if (i < arrayLength(&out)) {
        out[i] = i;
    }
}
