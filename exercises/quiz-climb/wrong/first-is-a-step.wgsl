// diagnosis: first-height-counts
// title: The first height counts as an ascent.
// why: The loop begins one column too early, and takes 0 for the height before.
// ask: How many differences does a path of 3 heights have?
// Every path begins at 0.
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
    for (var col = 0u; col < dims.cols; col++) {
        let at = row * dims.cols + col;
        var before = 0.0;
        if (col > 0u) {
            before = x[at - 1u];
        }
        sum += max(x[at] - before, 0.0);
    }
    out[row] = sum;
}
