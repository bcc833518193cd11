// diagnosis: missing-guard
// I write only negative numbers, and there are none after the end.
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    let v = data[i];
    if (v < 0.0) {
        data[i] = v * params.slope;
    }
}
