// goals: coalesced; no bank conflicts
// way: One walk keeps a largest element and a sum, and repairs the sum. The tree merges such pairs.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> best: array<f32, SIZE>;
var<workgroup> total: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    let start = group.x * dims.cols;
    let me = local.x;
    var largest = -3.4028234e+38; // the lowest f32
    var sum = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        let larger = max(largest, x[start + c]);
        sum = sum * exp(largest - larger) + exp(x[start + c] - larger);
        largest = larger;
    }
    best[me] = largest;
    total[me] = sum;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            let larger = max(best[me], best[me + half]);
            total[me] = total[me] * exp(best[me] - larger) + total[me + half] * exp(best[me + half] - larger);
            best[me] = larger;
        }
    }
    if (me == 0u) {
        out[group.x] = best[0] + log(total[0]);
    }
}
