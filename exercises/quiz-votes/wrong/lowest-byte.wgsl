// diagnosis: one-of-four
// title: Only the lowest byte of each word was added.
// why: A word holds four bytes, and all of them count.
// ask: How many bytes does a row of 3 words have?
// The byte of a word.
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
        sum += i32(word << 24u) >> 24u;
    }
    if (sum > 0) {
        atomicAdd(&count[0], 1u);
    }
}
