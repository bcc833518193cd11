// order-flip: data ends up back to front, in place
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // Your lines go here: move them up, out of the comment. Two of them stay in it.

    /*
    data[n - 1u - i] = data[i];
    }
    let i = id.x;
    data[i] = data[n - 1u - i];
    if (i <= n / 2u) {
    let n = arrayLength(&data);
    data[n - 1u - i] = first;
    if (i < n / 2u) {
    let first = data[i];
    */
}
