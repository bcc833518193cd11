// diagnosis: limited-at-the-end
// title: The zero came in only after the sum.
// why: First all differences were added, descents as well. A sum below 0 then became 0.
// ask: Which numbers should max look at: each difference, or the sum?
// max(…, 0) is enough once.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
) {
    let row = id.x;
    if (row >= dims.rows) {
        return;
    }
    var sum = 0.0;
    for (var col = 1u; col < dims.cols; col++) {
        let at = row * dims.cols + col;
        sum += x[at] - x[at - 1u];
    }
    out[row] = max(sum, 0.0);
}
