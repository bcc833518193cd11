// diagnosis: only-last-term
// title: Each invocation kept only its last product.
// why: Every step replaced what the steps before it had found.
// ask: After the second step, what should your variable hold?
// Each step makes a product.
enable subgroups;
const SIZE = 64u;
struct Dims {
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

var<workgroup> parts: array<f32, SIZE / 4u>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(num_subgroups) count: u32,
    @builtin(subgroup_invocation_id) lane: u32,
) {
    let o = group.x;
    let me = local.x;
    var sum = 0.0;
    for (var j = me; j < dims.k; j += SIZE) {
        sum = x[j] * w[o * dims.k + j];
    }
    sum = subgroupAdd(sum);
    if (lane == 0u) {
        parts[subgroup] = sum;
    }
    workgroupBarrier();
    if (me == 0u) {
        sum = bias[o];
        for (var i = 0u; i < count; i++) {
            sum += parts[i];
        }
        out[o] = sum;
    }
}
