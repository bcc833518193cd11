// vector-add: out[i] = a[i] + b[i] for every element, whatever the length
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = arrayLength(&out);
    // two elements for each invocation
    let i = 2u * id.x;
    if (i < n) {
        out[i] = a[i] + b[i];
        out[i + 1u] = a[i + 1u] + b[i + 1u];
    }
}
