// diagnosis: at-least-zero
// title: Rows that add up to 0 were counted as well.
// why: Your comparison lets a sum of 0 count.
// ask: Is 0 more than 0?
// Not below zero is enough.
struct Dims {
    rows: u32,
    words: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> votes: array<u32>;
@group(0) @binding(2) var<storage, read_write> count: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
) {
    let row = id.x;
    if (row >= dims.rows) {
        return;
    }
    var sum = 0;
    for (var i = 0u; i < dims.words; i++) {
        let word = votes[row * dims.words + i];
        for (var b = 0u; b < 4u; b++) {
            sum += i32(word << (24u - 8u * b)) >> 24u;
        }
    }
    if (sum >= 0) {
        atomicAdd(&count[0], 1u);
    }
}
