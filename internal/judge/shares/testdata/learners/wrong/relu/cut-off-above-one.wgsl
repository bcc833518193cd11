@group(0) @binding(0) var<storage, read_write> data: array<f32>;

fn bend(x: f32) -> f32 {
    return clamp(x, 0.0, 1.0);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = bend(data[i]);
    }
}
