// quiz-votes: how many rows of signed bytes add up to more than 0.
//
// One invocation adds up one row. Each byte moves to the top of a word and back as an i32, which
// fills the bits above it with copies of its sign. All invocations count in the same number, with
// an atomic.

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
    if (sum > 0) {
        atomicAdd(&count[0], 1u);
    }
}
