// diagnosis: own-subgroup
// title: Each subgroup divided by the total of its own elements.
// why: subgroupMax and subgroupAdd combine the invocations of one subgroup only. A workgroup of 64
//   may have several subgroups, and here each finds a different total.
// ask: How does one subgroup learn what another one has found?
// subgroupAdd adds up everything.
enable subgroups;
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let start = group.x * dims.cols;
    var top = -3.4e38;
    for (var c = me; c < dims.cols; c += SIZE) {
        top = max(top, data[start + c]);
    }
    top = subgroupMax(top);
    var sum = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        sum += exp(data[start + c] - top);
    }
    sum = subgroupAdd(sum);
    for (var c = me; c < dims.cols; c += SIZE) {
        data[start + c] = exp(data[start + c] - top) / sum;
    }
}
