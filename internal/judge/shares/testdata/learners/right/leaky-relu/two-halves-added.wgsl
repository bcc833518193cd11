struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

fn leaky(x: f32) -> f32 {
    let above = max(x, 0.0);
    let below = min(x, 0.0);
    return above + params.slope * below;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let all = groups.x * 64u;
    for (var i = id.x; i < arrayLength(&data); i += all) {
        data[i] = leaky(data[i]);
    }
}
