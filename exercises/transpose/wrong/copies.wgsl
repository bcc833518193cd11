// diagnosis: copies
// title: out is a copy of x: every element stayed at its index.
// why: The elements are the same, but their order changes. Neighbours in a row of x come to be
//   neighbours in a column of out.
// ask: Write down a matrix of 2 × 3 and its transpose, each as one row of numbers. Which element is
//   at index 1 of each?
// Both matrices have the same elements.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.y * dims.rows + id.x;
    if (id.y >= dims.cols || id.x >= dims.rows) {
        return;
    }
    out[i] = x[i];
}
