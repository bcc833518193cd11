// diagnosis: no-reduction
// title: The sum has only the products of one invocation.
// why: Each invocation added up its own products, but nothing added up the sums of all.
// ask: Invocation 1 found a sum as well. Which invocation adds it?
// Invocation 0 has the sum.
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

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    let o = group.x;
    let me = local.x;
    var sum = 0.0;
    for (var j = me; j < dims.k; j += SIZE) {
        sum += x[j] * w[o * dims.k + j];
    }
    if (me == 0u) {
        out[o] = bias[o] + sum;
    }
}
