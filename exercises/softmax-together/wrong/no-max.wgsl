// diagnosis: no-max-subtraction
// title: The largest element was not subtracted, which works only for small numbers.
// why: On paper, exp(x) / sum of exp(x) is the same. But exp(89) is more than an f32 can hold: it
//   becomes infinity, and infinity / infinity is NaN. Far below zero every exp(x) becomes 0, and 0
//   / 0 is NaN as well.
// ask: What happens to exp(x) / total if you subtract the same number from every x of the row?
// A sum is all that it needs.
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
    var sum = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        sum += exp(data[start + c]);
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
        data[start + c] = exp(data[start + c]) / sum;
    }
}
