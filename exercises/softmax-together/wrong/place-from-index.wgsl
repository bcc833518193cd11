// diagnosis: other-subgroups
// My subgroup is my index divided by the size.
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
    @builtin(subgroup_size) size: u32,
) {
    let start = group.x * dims.cols;
    var top = -3.4e38;
    for (var c = me; c < dims.cols; c += SIZE) {
        top = max(top, data[start + c]);
    }
    top = subgroupMax(top);
    if (me % size == 0u) {
        parts[me / size] = top;
    }
    workgroupBarrier();
    for (var i = 0u; i < max(1u, SIZE / size); i++) {
        top = max(top, parts[i]);
    }
    workgroupBarrier();
    var sum = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        sum += exp(data[start + c] - top);
    }
    sum = subgroupAdd(sum);
    if (me % size == 0u) {
        parts[me / size] = sum;
    }
    workgroupBarrier();
    sum = 0.0;
    for (var i = 0u; i < max(1u, SIZE / size); i++) {
        sum += parts[i];
    }
    for (var c = me; c < dims.cols; c += SIZE) {
        data[start + c] = exp(data[start + c] - top) / sum;
    }
}
