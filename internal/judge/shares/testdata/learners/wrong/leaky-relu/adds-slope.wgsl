// leaky-relu: negative elements of data are multiplied by slope, the others stay; in place
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let p = id.x;
    if (p >= arrayLength(&data)) {
        return;
    }
    if (data[p] < 0.0) {
        data[p] = data[p] + params.slope;
    }
}
