// leaky-relu: negative elements of data are multiplied by slope, the others stay; in place
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= arrayLength(&data)) { return; }
    let v = data[id.x];
    data[id.x] = max(v, 0.0) + params.slope * min(v, 0.0);
}
