// row-max: out[row] is the largest element of that row of x; one workgroup takes one row
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

const LOWEST = -3.4028234e38;
var<workgroup> m: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    var mine = LOWEST;
    if (me < dims.cols) {
        mine = x[group.x * dims.cols + me];
    }
    m[me] = mine;
    workgroupBarrier();
    var n = SIZE / 2u;
    while (n > 0u) {
        if (me < n) {
            m[me] = max(m[me], m[me + n]);
        }
        workgroupBarrier();
        n /= 2u;
    }
    if (me == 0u) { out[group.x] = m[0]; }
}
