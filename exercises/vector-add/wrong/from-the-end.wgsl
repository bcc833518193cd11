// diagnosis: missing-guard
// Counted from the end, the surplus invocations are before the start.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = arrayLength(&out) - 1u - id.x; // from the end to the start
    out[i] = a[i] + b[i];
}
