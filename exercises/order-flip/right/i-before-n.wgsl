// goals: coalesced
// The first two lines may change places, and the lines that are left stay in the comment.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    let n = arrayLength(&data);
    if (i < n / 2u) {
        let first = data[i];
        data[i] = data[n - 1u - i];
        data[n - 1u - i] = first;
    }

    /*
    data[n - 1u - i] = data[i];
    if (i <= n / 2u) {
    */
}
