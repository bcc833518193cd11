// goals: none
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) local: vec3<u32>) {
    // The stride is one workgroup, not all of them: each workgroup does all elements. That is a waste,
    // but each invocation has a 64th of them.
    for (var i = local.x; i < arrayLength(&out); i += 64u) {
        out[i] = a[i] + b[i];
    }
}
