// row-max: out[row] is the largest element of that row of x; one workgroup takes one row
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> best: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.x * dims.cols;
    let each = (dims.cols + SIZE - 1u) / SIZE;
    var m = x[row];
    for (var c = local.x * each; c < min((local.x + 1u) * each, dims.cols); c++) {
        m = max(m, x[row + c]);
    }
    best[local.x] = m;
    workgroupBarrier();
    if (local.x == 0u) {
        for (var i = 1u; i < SIZE; i++) { m = max(m, best[i]); }
        out[group.x] = m;
    }
}
