// goals: coalesced
// way: A tree in workgroup memory adds the sums, without subgroups.
struct Dims {
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<u32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let words = dims.k / 2u;
    var sum = 0.0;
    for (var i = me; i < words; i += 64u) {
        sum += dot(unpack2x16float(w[group.x * words + i]), vec2<f32>(x[2u * i], x[2u * i + 1u]));
    }
    partial[me] = sum;
    for (var half = 32u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            partial[me] += partial[me + half];
        }
    }
    if (me == 0u) {
        out[group.x] = partial[0] + bias[group.x];
    }
}
