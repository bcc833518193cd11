// diagnosis: only-second-half
// title: The second half is right, and the first half has not changed.
// why: Each invocation gave the last element of its pair the value of the first. Then the old
//   value of the last was gone.
// ask: Which of the two elements has its old value in a variable?
// The kept value is written at once.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = arrayLength(&data);
    let i = id.x;
    if (i < n / 2u) {
        let first = data[i];
        data[n - 1u - i] = first;
        data[i] = data[n - 1u - i];
    }
}
