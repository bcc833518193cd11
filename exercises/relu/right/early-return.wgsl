// goals: none
// way: Only negative elements are written: those that stay cost no write.
// An early return, and only negative numbers are written.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= arrayLength(&data)) {
        return;
    }
    if (data[id.x] < 0.0) {
        data[id.x] = 0.0;
    }
}
