// softmax-together: every element of a row becomes exp(x - largest) / total, in place; the 64 invocations of a workgroup take one row, without a tree
enable subgroups;
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(SIZE)
fn main(
    // Your lines go here: the parameters of main.
) {
    // Your lines go here, and above main what the workgroup shares.
}
