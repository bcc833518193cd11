// goals: coalesced
// The bug is in this line: fn main(@builtin(local_invocation_id) id: vec3<u32>) {
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) id: vec3<u32>) {
    let i = group.x * 64u + id.x;
    if (i < arrayLength(&out)) {
        out[i] = a[i] + b[i];
    }
}
