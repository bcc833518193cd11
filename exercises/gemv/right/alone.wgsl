// goals: none
// One invocation for each output, without subgroups: most workgroups have nothing to do.
struct Dims {
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= dims.n) {
        return;
    }
    var sum = bias[id.x];
    for (var j = 0u; j < dims.k; j++) {
        sum += x[j] * w[id.x * dims.k + j];
    }
    out[id.x] = sum;
}
