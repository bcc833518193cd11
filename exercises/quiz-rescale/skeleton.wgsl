// quiz-rescale: each row of data is divided by its largest magnitude, in place; a row of zeros stays
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
