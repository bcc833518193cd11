// goals: none
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // Each invocation takes four neighbours, as long as there are any.
    for (var i = 4u * id.x; i < min(4u * id.x + 4u, arrayLength(&data)); i++) {
        data[i] = max(data[i], 0.0);
    }
}
