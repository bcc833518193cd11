// diagnosis: first-missing
// title: Element 0 was never written.
// why: Indices start at 0, as in Go, and so do the numbers of the invocations. Something shifted
//   invocation 0 to another element or held it back.
// ask: Which element does invocation 0 write to?
// Counting from 1 to n is safe when the length is in the guard.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x + 1u;
    if (i < arrayLength(&out)) {
        out[i] = a[i] + b[i];
    }
}
