// diagnosis: missing-guard
// A surplus invocation reads 0, and 0 is not negative, so it writes nothing.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (data[id.x] < 0.0) {
        data[id.x] = 0.0;
    }
}
