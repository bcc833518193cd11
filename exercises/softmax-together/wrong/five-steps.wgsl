// diagnosis: other-subgroups
// Five steps reach 32 invocations.
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
    var top = -3.4e38;
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
    for (var step = 16u; step > 0u; step /= 2u) {
        sum += subgroupShuffleXor(sum, step);
    }
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
