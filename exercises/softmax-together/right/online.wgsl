// goals: coalesced; few barriers
// way: One walk finds the largest element and the total, so that one barrier is enough.
// The total of a part is scaled to the largest of all parts.
enable subgroups;
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

var<workgroup> parts: array<vec2<f32>, SIZE / 4u>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(num_subgroups) count: u32,
) {
    let start = group.x * dims.cols;
    var top = data[start];
    var sum = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        let x = data[start + c];
        if (x > top) {
            sum *= exp(top - x);
            top = x;
        }
        sum += exp(x - top);
    }
    let highest = subgroupMax(top);
    let total = subgroupAdd(sum * exp(top - highest));
    if (subgroupElect()) {
        parts[subgroup] = vec2<f32>(highest, total);
    }
    workgroupBarrier();
    var all = parts[0];
    for (var i = 1u; i < count; i++) {
        let largest = max(all.x, parts[i].x);
        all = vec2<f32>(largest, all.y * exp(all.x - largest) + parts[i].y * exp(parts[i].x - largest));
    }
    for (var c = me; c < dims.cols; c += SIZE) {
        data[start + c] = exp(data[start + c] - all.x) / all.y;
    }
}
