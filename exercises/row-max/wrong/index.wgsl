// diagnosis: index-not-value
// title: The output holds the position of the largest element, not its value.
// why: That is argmax, from lesson 7. Here you need the value itself.
// ask: Which of your variables holds an element of x?
// The largest is at best.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> where_best: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let start = group.x * dims.cols;
    let me = local.x;
    var best = min(me, dims.cols - 1u);
    for (var c = me; c < dims.cols; c += SIZE) {
        if (x[start + c] > x[start + best]) {
            best = c;
        }
    }
    where_best[me] = best;
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            let other = where_best[me + half];
            if (x[start + other] > x[start + where_best[me]]) {
                where_best[me] = other;
            }
        }
        workgroupBarrier();
    }
    if (me == 0u) {
        out[group.x] = f32(where_best[0]);
    }
}
