// softmax: every element of a row becomes exp(x - largest) / total, in place; one workgroup takes one row
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

fn tree_max(me: u32) -> f32 {
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) { partial[me] = max(partial[me], partial[me + half]); }
    }
    workgroupBarrier();
    let result = partial[0];
    workgroupBarrier();
    return result;
}

fn tree_sum(me: u32) -> f32 {
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) { partial[me] += partial[me + half]; }
    }
    workgroupBarrier();
    return partial[me];
}

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let start = group.x * dims.cols;
    let end = start + dims.cols;
    var m = -3.4028234e38;
    for (var i = start + local.x; i < end; i += SIZE) { m = max(m, data[i]); }
    partial[local.x] = m;
    let largest = tree_max(local.x);
    var s = 0.0;
    for (var i = start + local.x; i < end; i += SIZE) { s += exp(data[i] - largest); }
    partial[local.x] = s;
    let total = tree_sum(local.x);
    for (var i = start + local.x; i < end; i += SIZE) { data[i] = exp(data[i] - largest) / total; }
}
