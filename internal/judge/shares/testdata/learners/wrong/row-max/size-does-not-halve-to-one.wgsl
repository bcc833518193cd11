// more invocations, so that long rows are faster
const SIZE = 96u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> found: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    var best = -3.4028234e38;
    for (var c = local.x; c < dims.cols; c += SIZE) {
        best = max(best, x[group.x * dims.cols + c]);
    }
    found[local.x] = best;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (local.x < half) {
            found[local.x] = max(found[local.x], found[local.x + half]);
        }
    }
    if (local.x == 0u) {
        out[group.x] = found[0];
    }
}
