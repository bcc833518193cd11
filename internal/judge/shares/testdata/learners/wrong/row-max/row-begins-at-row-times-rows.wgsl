// row-max: out[row] is the largest element of that row of x; one workgroup takes one row
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let first = group.x * dims.rows;
    var m = -3.4028234e38;
    for (var i = local.x; i < dims.cols; i += SIZE) {
        m = max(m, x[first + i]);
    }
    partial[local.x] = m;
    workgroupBarrier();
    for (var s = SIZE >> 1u; s > 0u; s >>= 1u) {
        if (local.x < s) {
            partial[local.x] = max(partial[local.x], partial[local.x + s]);
        }
        workgroupBarrier();
    }
    if (local.x == 0u) {
        out[group.x] = partial[0];
    }
}
