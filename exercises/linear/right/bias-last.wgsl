// goals: coalesced
// The bias is added at the end; one row of 128 in each workgroup.
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

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let neuron = id.x;
    let sample = id.y;
    if (neuron < dims.n) {
        var sum = 0.0;
        var from_x = sample * dims.k;
        var from_w = neuron;
        for (var i = 0u; i < dims.k; i++) {
            sum = fma(x[from_x], w[from_w], sum);
            from_x++;
            from_w += dims.n;
        }
        out[sample * dims.n + neuron] = sum + bias[neuron];
    }
}
