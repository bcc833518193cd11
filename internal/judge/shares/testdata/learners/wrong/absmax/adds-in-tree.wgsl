// absmax: out[row] is the largest magnitude of that row of x, divided by 127; 1 for a row of zeros
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> t: array<f32, SIZE>;
fn reduce_row(me: u32, start: u32) {
    var v = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) { v = max(v, abs(x[start + c])); }
    t[me] = v;
    for (var h = SIZE / 2u; h > 0u; h /= 2u) {
        workgroupBarrier();
        if (me < h) {
            t[me] += t[me + h];
        }
    }
}

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    reduce_row(local.x, group.x * dims.cols);
    if (local.x == 0u) {
        let v = t[0];
        out[group.x] = select(1.0, v / 127.0, v > 0.0);
    }
}
