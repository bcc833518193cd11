// goals: coalesced
// way: A workgroup shares a piece of the sample in workgroup memory, since all of its neurons need
//   the same numbers.
// A workgroup shares a piece of the sample in workgroup memory.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

const SIZE = 32u;

var<workgroup> inputs: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    let neuron = id.x;
    let sample = group.y;
    var sum = 0.0;
    for (var start = 0u; start < dims.k; start += SIZE) {
        if (start + me < dims.k) {
            inputs[me] = x[sample * dims.k + start + me];
        }
        workgroupBarrier();
        let steps = min(SIZE, dims.k - start);
        if (neuron < dims.n) {
            for (var i = 0u; i < steps; i++) {
                sum += inputs[i] * w[(start + i) * dims.n + neuron];
            }
        }
        workgroupBarrier();
    }
    if (neuron < dims.n) {
        out[sample * dims.n + neuron] = sum + bias[neuron];
    }
}
