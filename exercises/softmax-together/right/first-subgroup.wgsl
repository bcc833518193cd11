// goals: coalesced; few barriers
// way: The first subgroup does the whole row on its own. It needs no workgroup memory and no
//   barrier, but the other invocations have nothing to do.
// subgroupAdd(1) counts the invocations: a subgroup needn't be full.
enable subgroups;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_invocation_id) lane: u32,
) {
    if (subgroup > 0u) {
        return;
    }
    let start = group.x * dims.cols;
    let width = subgroupAdd(1u);
    var largest = -3.4028234e38;
    for (var c = lane; c < dims.cols; c += width) {
        largest = max(largest, data[start + c]);
    }
    largest = subgroupMax(largest);
    var total = 0.0;
    for (var c = lane; c < dims.cols; c += width) {
        total += exp(data[start + c] - largest);
    }
    total = subgroupAdd(total);
    for (var c = lane; c < dims.cols; c += width) {
        data[start + c] = exp(data[start + c] - largest) / total;
    }
}
