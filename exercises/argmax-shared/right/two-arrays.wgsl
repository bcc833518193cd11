// goals: coalesced; no bank conflicts
// Values and columns in two arrays.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

var<workgroup> best: array<f32, SIZE>;
var<workgroup> place: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    var largest = -3.4028234e38;
    var at = 0u;
    for (var col = me; col < dims.cols; col += SIZE) {
        let value = x[group.x * dims.cols + col];
        if (value > largest) {
            largest = value;
            at = col;
        }
    }
    best[me] = largest;
    place[me] = at;
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            let other = me + half;
            if (best[other] > best[me] || (best[other] == best[me] && place[other] < place[me])) {
                best[me] = best[other];
                place[me] = place[other];
            }
        }
        workgroupBarrier();
    }
    if (me == 0u) {
        out[group.x] = place[0];
    }
}
