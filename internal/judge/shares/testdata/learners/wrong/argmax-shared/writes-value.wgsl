// argmax-shared: for each row the index of its largest value; one workgroup takes one row
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

var<workgroup> v: array<f32, SIZE>;
var<workgroup> k: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    var hi = -3.4028234e38;
    var hi_col = 0u;
    for (var c = me; c < dims.cols; c = c + SIZE) {
        let e = x[group.x * dims.cols + c];
        if (e > hi) { hi = e; hi_col = c; }
    }
    v[me] = hi;
    k[me] = me;
    workgroupBarrier();
    for (var h = SIZE / 2u; h > 0u; h /= 2u) {
        if (me < h) {
            let better = v[me + h] > v[me];
            let tie = v[me + h] == v[me] && k[me + h] < k[me];
            if (better || tie) { v[me] = v[me + h]; k[me] = k[me + h]; }
        }
        workgroupBarrier();
    }
    if (me == 0u) { out[group.x] = k[0]; }
}
