// absmax: out[row] is the largest magnitude of that row of x, divided by 127; 1 for a row of zeros
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> m: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    var best = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        best = max(best, x[group.x * dims.cols + c]);
    }
    m[me] = best;
    for (var h = SIZE / 2u; h > 0u; h /= 2u) {
        workgroupBarrier();
        if (me < h) { m[me] = max(m[me], m[me + h]); }
    }
    if (me == 0u) {
        out[group.x] = select(m[0] / 127.0, 1.0, m[0] == 0.0);
    }
}
