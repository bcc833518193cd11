// goals: few barriers
// One invocation does all of it.
struct Dims {
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<u32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3<u32>) {
    var sum = bias[group.x];
    for (var j = 0u; j < dims.k; j++) {
        let pair = unpack2x16float(w[(group.x * dims.k + j) / 2u]);
        sum += x[j] * pair[j % 2u];
    }
    out[group.x] = sum;
}
