// diagnosis: workgroup-index
// title: Only one element per workgroup was written.
// why: workgroup_id counts workgroups, not invocations. All invocations of a workgroup used the
//   same index.
// ask: Which builtin is different for every invocation?
// workgroup_id counts through all the work.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) id: vec3<u32>) {
    if (id.x < arrayLength(&out)) {
        out[id.x] = id.x;
    }
}
