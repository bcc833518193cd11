// diagnosis: race
// The guard includes the middle.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = arrayLength(&data);
    let i = id.x;
    if (i <= n / 2u) {
        let first = data[i];
        data[i] = data[n - 1u - i];
        data[n - 1u - i] = first;
    }
}
