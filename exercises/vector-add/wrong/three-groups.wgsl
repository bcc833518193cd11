// diagnosis: binding
// Each buffer is a group.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(1) @binding(0) var<storage, read> b: array<f32>;
@group(2) @binding(0) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&out)) {
        out[i] = a[i] + b[i];
    }
}
