// diagnosis: workgroup-index
// title: Only one element per workgroup was written.
// why: workgroup_id counts workgroups, not invocations. All invocations of a workgroup used the
//   same index.
// ask: Which builtin is different for every invocation?
// workgroup_id counts through all the work.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = max(data[i], 0.0);
    }
}
