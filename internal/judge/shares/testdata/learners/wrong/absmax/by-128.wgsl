// absmax: out[row] is the largest magnitude of that row of x, divided by 127; 1 for a row of zeros
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

const MARKS = 128.0;
var<workgroup> s: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    s[me] = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) { s[me] = max(s[me], abs(x[group.x * dims.cols + c])); }
    workgroupBarrier();
    for (var h = SIZE / 2u; h > 0u; h >>= 1u) {
        if (me < h) { s[me] = max(s[me], s[me + h]); }
        workgroupBarrier();
    }
    if (me == 0u) {
        if (s[0] > 0.0) {
            out[group.x] = s[0] / MARKS;
        } else {
            out[group.x] = 1.0;
        }
    }
}
