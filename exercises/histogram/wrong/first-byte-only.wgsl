// diagnosis: first-byte-only
// title: Only the lowest byte of each word is counted.
// why: Your shader takes one byte from each word, but a word holds four.
// ask: Which word holds byte 5?
// bytes[i] is byte i, cut to 8 bits.
struct Params {
    n: u32, // bytes to count
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bytes: array<u32>; // 4 in a word, the lowest first
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>; // 256

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let i = id.x;
    if (i >= params.n / 4u) {
        return;
    }
    let value = bytes[i] & 255u;
    atomicAdd(&bins[value], 1u);
}
