// order-flip: data ends up back to front, in place.
//
// An invocation takes a pair: element i and the one as far from the end. No other invocation
// touches these two, so no order matters except that of its own three lines. The old value of
// the first has to be kept before it is overwritten. With an odd length, the one in the middle
// stays.

@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = arrayLength(&data);
    let i = id.x;
    if (i < n / 2u) {
        let first = data[i];
        data[i] = data[n - 1u - i];
        data[n - 1u - i] = first;
    }
}
