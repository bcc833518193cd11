// goals: coalesced
// way: Each invocation reads four products in a round before it adds them up: more reads are under
//   way at once. A second loop takes the rest of the row.
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
    let at = o * dims.k;
    var j = me;
    for (; j + 3u * SIZE < dims.k; j += 4u * SIZE) {
        let inputs = vec4<f32>(x[j], x[j + SIZE], x[j + 2u * SIZE], x[j + 3u * SIZE]);
        let weights = vec4<f32>(w[at + j], w[at + j + SIZE], w[at + j + 2u * SIZE], w[at + j + 3u * SIZE]);
        sum += dot(inputs, weights);
    }
    for (; j < dims.k; j += SIZE) {
        sum += x[j] * w[at + j];
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
