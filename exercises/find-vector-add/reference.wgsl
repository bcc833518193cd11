// The bug is in this line: fn main(@builtin(local_invocation_id) id: vec3<u32>) {
//
// local_invocation_id starts again at 0 in every workgroup. So all of them worked on the
// first 64 elements, and none on the others. global_invocation_id goes on.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&out)) {
        out[i] = a[i] + b[i];
    }
}
