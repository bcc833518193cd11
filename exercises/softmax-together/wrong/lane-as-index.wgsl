// diagnosis: race
// lane is my number, and size is how many of us there are.
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
    @builtin(subgroup_size) size: u32,
) {
    let start = group.x * dims.cols;
    var top = -3.4e38;
    for (var c = lane; c < dims.cols; c += size) {
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
    for (var c = lane; c < dims.cols; c += size) {
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
    for (var c = lane; c < dims.cols; c += size) {
        data[start + c] = exp(data[start + c] - top) / sum;
    }
}
