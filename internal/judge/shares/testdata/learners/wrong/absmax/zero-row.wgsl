// absmax: out[row] is the largest magnitude of that row of x, divided by 127; 1 for a row of zeros
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> mags: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let base = group.x * dims.cols;
    var hi = 0.0;
    for (var p = base + local.x; p < base + dims.cols; p += SIZE) { hi = max(hi, abs(x[p])); }
    mags[local.x] = hi;
    workgroupBarrier();
    var n = 32u;
    while (n > 0u) {
        if (local.x < n) { mags[local.x] = max(mags[local.x], mags[local.x + n]); }
        workgroupBarrier();
        n /= 2u;
    }
    if (local.x == 0u) {
        out[group.x] = mags[0] / 127.0;
    }
}
