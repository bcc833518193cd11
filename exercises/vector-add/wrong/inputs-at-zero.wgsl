// diagnosis: first-element-everywhere
// title: Every element of out is a[0] + b[0].
// why: Each invocation writes to an index of its own, but all of them read the inputs at index 0.
// ask: Which element of a does invocation 5 need?
// Only the output needs the index.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&out)) {
        out[i] = a[0] + b[0];
    }
}
