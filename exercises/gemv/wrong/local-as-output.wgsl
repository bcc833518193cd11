// diagnosis: local-id
// title: Only the first outputs were written, as many as a workgroup has invocations.
// why: local_invocation_id starts again at 0 in every workgroup. So all workgroups worked on the
//   same first outputs.
// ask: Each workgroup takes one output. Which builtin is the number of the workgroup?
// Each invocation takes an output.
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
fn main(@builtin(local_invocation_id) local: vec3<u32>) {
    let o = local.x;
    if (o < dims.n) {
        var sum = bias[o];
        for (var j = 0u; j < dims.k; j++) {
            sum += x[j] * w[o * dims.k + j];
        }
        out[o] = sum;
    }
}
