// argmax-shared: for each row the index of its largest value; one workgroup takes one row
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(SIZE)
fn main(
    // Your lines go here: the parameters of main.
) {
    // Your lines go here, and above main what the workgroup shares.
}
