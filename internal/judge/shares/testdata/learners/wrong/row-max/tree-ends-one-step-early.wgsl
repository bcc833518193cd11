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
    let row = group.x;
    var best = -3.4028234e38;
    for (var col = local.x; col < dims.cols; col += SIZE) {
        let v = x[row * dims.cols + col];
        if (v > best) {
            best = v;
        }
    }
    partial[local.x] = best;
    var half = SIZE / 2u;
    while (half > 1u) {
        workgroupBarrier();
        if (local.x < half && partial[local.x + half] > partial[local.x]) {
            partial[local.x] = partial[local.x + half];
        }
        half = half / 2u;
    }
    if (local.x == 0u) {
        out[row] = partial[0];
    }
}
