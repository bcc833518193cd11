// goals: none
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(100)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // The lower half of the invocations does everything, two elements each.
    let n = arrayLength(&out);
    let i = 2u * id.x;
    if (i < n) { out[i] = a[i] + b[i]; }
    if (i + 1u < n) { out[i + 1u] = a[i + 1u] + b[i + 1u]; }
}
