// goals: few barriers
// way: Subgroups find the largest and the running sums, and their totals go through workgroup
//   memory.
enable subgroups;
const SIZE = 256u; // n is at most this
struct Params {
    n: u32,
    temperature: f32,
    random: f32, // at least 0, and less than 1
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> scores: array<f32>; // n
@group(0) @binding(2) var<storage, read_write> out: array<u32>; // 1

var<workgroup> largest_of: array<f32, SIZE / 4u>;
var<workgroup> total_of: array<f32, SIZE / 4u>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(subgroup_id) subgroup: u32,
    @builtin(num_subgroups) count: u32,
    @builtin(subgroup_size) size: u32,
    @builtin(subgroup_invocation_id) lane: u32,
) {
    let me = subgroup * size + lane; // the sums follow the lanes, so the letters do
    var score = -3.4028234e+38;
    if (me < params.n) {
        score = scores[me];
    }
    var largest = subgroupMax(score);
    if (subgroupElect()) {
        largest_of[subgroup] = largest;
    }
    workgroupBarrier();
    for (var i = 0u; i < count; i++) {
        largest = max(largest, largest_of[i]);
    }
    var weight = 0.0;
    if (me < params.n) {
        weight = exp((score - largest) / params.temperature);
    }
    let sum = subgroupInclusiveAdd(weight);
    let own_total = subgroupAdd(weight);
    if (subgroupElect()) {
        total_of[subgroup] = own_total;
    }
    workgroupBarrier();
    var earlier = 0.0;
    var total = 0.0;
    for (var i = 0u; i < count; i++) {
        if (i < subgroup) {
            earlier += total_of[i];
        }
        total += total_of[i];
    }
    let point = params.random * total;
    let end = earlier + sum;
    if (end - weight <= point && point < end) {
        out[0] = me;
    }
}
