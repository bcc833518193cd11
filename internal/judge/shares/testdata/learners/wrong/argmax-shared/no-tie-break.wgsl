// argmax-shared: for each row the index of its largest value; one workgroup takes one row
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

var<workgroup> vals: array<f32, SIZE>;
var<workgroup> cols: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let base = group.x * dims.cols;
    var best = -3.4028234e38;
    var at = 0u;
    for (var c = me; c < dims.cols; c += SIZE) {
        if (x[base + c] > best) { best = x[base + c]; at = c; }
    }
    vals[me] = best;
    cols[me] = at;
    workgroupBarrier();
    for (var h = SIZE / 2u; h > 0u; h /= 2u) {
        if (me < h && vals[me + h] > vals[me]) {
            vals[me] = vals[me + h];
            cols[me] = cols[me + h];
        }
        workgroupBarrier();
    }
    if (me == 0u) { out[group.x] = cols[0]; }
}
