// diagnosis: only-first-half
// One line for each direction.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = arrayLength(&data);
    let i = id.x;
    if (i < n / 2u) {
        data[i] = data[n - 1u - i];
        data[n - 1u - i] = data[i];
    }
}
