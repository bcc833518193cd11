// diagnosis: workgroup-index
// title: Only one element per workgroup was written.
// why: workgroup_id counts workgroups, not invocations. All invocations of a workgroup used the
//   same index.
// ask: Which builtin is different for every invocation?
// Each element is a workgroup.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&out)) {
        out[i] = a[i] + b[i];
    }
}
