// diagnosis: words-as-numbers
// title: Whole words were added.
// why: A word is not a number here. It holds four numbers side by side.
// ask: Which four numbers are in the word 0x04030201?
// A word is an i32.
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
        sum += bitcast<i32>(word);
    }
    if (sum > 0) {
        atomicAdd(&count[0], 1u);
    }
}
