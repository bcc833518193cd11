// hello: every invocation writes its own number.
//
// One invocation runs for each element of `out`: invocation i writes out[i] = i.
// Invocations come in workgroups of 64, so the last workgroup may reach past the
// end of `out`. Invocations past the end do nothing.

@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&out)) {
        out[i] = i;
    }
}
