// grad-bias: db[col] is the sum of column col of d (rows × cols)
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> d: array<f32>;
@group(0) @binding(2) var<storage, read_write> db: array<f32>;

@compute @workgroup_size(64)
fn main(
    // Your line goes here: the parameter of main.
) {
    // Your lines go here.
}
