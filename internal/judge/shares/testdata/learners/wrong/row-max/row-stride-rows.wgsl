// row-max: out[row] is the largest element of that row of x; one workgroup takes one row
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> cand: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let start = group.x * dims.rows;
    var top = -3.4028234e38;
    var c = local.x;
    loop {
        if (c >= dims.cols) { break; }
        top = max(top, x[start + c]);
        c += SIZE;
    }
    cand[local.x] = top;
    for (var h = 32u; h > 0u; h /= 2u) {
        workgroupBarrier();
        if (local.x < h) { cand[local.x] = max(cand[local.x], cand[local.x + h]); }
    }
    if (local.x == 0u) { out[group.x] = cand[0]; }
}
