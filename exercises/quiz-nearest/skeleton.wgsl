// quiz-nearest: out[row] is the number of the row of examples (n × k) that is nearest to that row of x (m × k)
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<i32>;
@group(0) @binding(2) var<storage, read> examples: array<i32>;
@group(0) @binding(3) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(
    // Your line goes here: the parameter of main.
) {
    // Your lines go here.
}
