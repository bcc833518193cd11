// diagnosis: covers-x
// title: Your shader treats id as a place in x. Here it is a place in out.
// why: The host starts invocations for the rows and columns of out. If x is wide, out is tall, and
//   some of x then has no invocation.
// ask: x is 2 × 3. How many columns does out have, and how many invocations do they need in x?
// The shader of the worked example.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    if (row < dims.rows && col < dims.cols) {
        out[col * dims.rows + row] = x[row * dims.cols + col];
    }
}
