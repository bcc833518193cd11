// diagnosis: index-added
// title: Every element is a[i] + b[i] + i.
// why: The index was added as well. It says where to read and write, but it isn't part of the
//   vectors.
// ask: Which numbers should go into out[5]?
// Element i gets i on top.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&out)) {
        out[i] = a[i] + b[i] + f32(i);
    }
}
