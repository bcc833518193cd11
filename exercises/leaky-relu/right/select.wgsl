// goals: coalesced
// select with the value in a let; 128 in a workgroup.
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        let x = data[i];
        data[i] = select(x, params.slope * x, x < 0.0);
    }
}
