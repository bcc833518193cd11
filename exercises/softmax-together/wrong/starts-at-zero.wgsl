// diagnosis: starts-at-zero
// title: Rows of large negative elements come out as NaN.
// why: The search for the largest compares a 0 that isn't in the row. It is the number that the
//   search starts with, or a word that no subgroup has written: workgroup memory starts out as 0.
//   Then 0 is subtracted, every exp(x) becomes 0, and 0 / 0 is NaN.
// ask: Which numbers does your search for the largest compare besides the elements of the row?
// The smallest number is 0.
enable subgroups;
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

var<workgroup> parts: array<f32, SIZE / 4u>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(num_subgroups) count: u32,
    @builtin(subgroup_invocation_id) lane: u32,
) {
    let start = group.x * dims.cols;
    var top = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        top = max(top, data[start + c]);
    }
    top = subgroupMax(top);
    if (lane == 0u) {
        parts[subgroup] = top;
    }
    workgroupBarrier();
    for (var i = 0u; i < count; i++) {
        top = max(top, parts[i]);
    }
    workgroupBarrier();
    var sum = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        sum += exp(data[start + c] - top);
    }
    sum = subgroupAdd(sum);
    if (lane == 0u) {
        parts[subgroup] = sum;
    }
    workgroupBarrier();
    sum = 0.0;
    for (var i = 0u; i < count; i++) {
        sum += parts[i];
    }
    for (var c = me; c < dims.cols; c += SIZE) {
        data[start + c] = exp(data[start + c] - top) / sum;
    }
}
