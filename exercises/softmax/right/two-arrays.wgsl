// goals: coalesced; no bank conflicts; few barriers
// An array for each tree, helper functions, the logarithm of the total.
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

var<workgroup> tops: array<f32, SIZE>;
var<workgroup> sums: array<f32, SIZE>;

fn top_of_all(me: u32) -> f32 {
    for (var stride = 1u; stride < SIZE; stride *= 2u) {
        workgroupBarrier();
        if (me % (stride * 2u) == 0u) {
            tops[me] = max(tops[me], tops[me + stride]);
        }
    }
    workgroupBarrier();
    return tops[0];
}

fn sum_of_all(me: u32) -> f32 {
    for (var stride = 1u; stride < SIZE; stride *= 2u) {
        workgroupBarrier();
        if (me % (stride * 2u) == 0u) {
            sums[me] = sums[me] + sums[me + stride];
        }
    }
    workgroupBarrier();
    return sums[0];
}

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(local_invocation_index) me: u32) {
    let first = wid.x * dims.cols;
    let behind = first + dims.cols;
    tops[me] = -0x1.fffffep+127f;
    for (var i = first + me; i < behind; i += SIZE) {
        tops[me] = max(tops[me], data[i]);
    }
    let top = top_of_all(me);
    for (var i = first + me; i < behind; i += SIZE) {
        sums[me] += exp(data[i] - top);
    }
    let shift = top + log(sum_of_all(me));
    for (var i = first + me; i < behind; i += SIZE) {
        data[i] = exp(data[i] - shift);
    }
}
