// diagnosis: multiply
// title: Every element is a[i] * b[i].
// why: Each pair of elements was multiplied.
// ask: Which operator is between the two?
// Vectors are multiplied element by element.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&out)) {
        out[i] = a[i] * b[i];
    }
}
