// vector-add: out = a + b, element by element.
//
// One invocation runs for each element: invocation i adds a[i] and b[i].
// Invocations past the end of `out` do nothing.

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
