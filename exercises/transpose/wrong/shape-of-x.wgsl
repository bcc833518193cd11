// diagnosis: shape-of-x
// title: Your shader treats out as if it had the rows and columns of x.
// why: Where x is 2 × 3, out is 3 × 2. Your guard and your index into out use the sizes of x. So
//   some of out is never written, and some invocations look for a row that x doesn't have.
// ask: x is 2 × 3. How many rows does out have, and how long is each of them?
// A matrix keeps its shape.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= dims.cols || id.y >= dims.rows) {
        return;
    }
    out[id.y * dims.cols + id.x] = x[id.x * dims.cols + id.y];
}
