// diagnosis: first-row
// title: All workgroups worked on the first row.
// why: Your index doesn't use the row, so the other rows stayed as they were.
// ask: Where in data does row r begin?
// data[c] is column c.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

var<workgroup> largest: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    let start = 0u;
    let me = local.x;
    var best = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        best = max(best, abs(data[start + c]));
    }
    largest[me] = best;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            largest[me] = max(largest[me], largest[me + half]);
        }
    }
    workgroupBarrier();
    if (largest[0] > 0.0) {
        for (var c = me; c < dims.cols; c += SIZE) {
            data[start + c] /= largest[0];
        }
    }
}
