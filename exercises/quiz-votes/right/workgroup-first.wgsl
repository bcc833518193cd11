// way: Each workgroup counts in its own number first, so there are fewer atomics in memory.
struct Dims {
    rows: u32,
    words: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> votes: array<u32>;
@group(0) @binding(2) var<storage, read_write> count: array<atomic<u32>>;

var<workgroup> here: atomic<u32>;

@compute @workgroup_size(128)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    var sum = 0;
    if (id.x < dims.rows) {
        for (var i = id.x * dims.words; i < (id.x + 1u) * dims.words; i++) {
            let word = bitcast<i32>(votes[i]);
            sum += ((word << 24u) >> 24u) + ((word << 16u) >> 24u) + ((word << 8u) >> 24u) + (word >> 24u);
        }
    }
    if (sum > 0) {
        atomicAdd(&here, 1u);
    }
    workgroupBarrier();
    if (me == 0u) {
        atomicAdd(&count[0], atomicLoad(&here));
    }
}
