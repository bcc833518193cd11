// diagnosis: only-first-half
// title: The first half is right, and the second half has not changed.
// why: Each invocation gave the first element of its pair the value of the last. Then the old
//   value of the first was gone.
// ask: When is the old value of the first element read, and when is it overwritten?
// The value can be kept at any time.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = arrayLength(&data);
    let i = id.x;
    if (i < n / 2u) {
        data[i] = data[n - 1u - i];
        let first = data[i];
        data[n - 1u - i] = first;
    }
}
