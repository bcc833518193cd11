// diagnosis: wrong-threshold
// title: Elements between 0 and 1 became 0 as well.
// why: The threshold should be 0, but your shader uses 1.
// ask: What should 0.5 become?
// One is the border between small and large.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        if (data[i] < 1.0) {
            data[i] = 0.0;
        }
    }
}
