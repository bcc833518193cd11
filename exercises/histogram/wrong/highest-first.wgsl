// diagnosis: highest-byte-first
// title: Your shader takes the bytes of a word from the top.
// why: Whole words give the same counts either way. In the last word, which is only partly full,
//   you counted the wrong bytes.
// ask: Byte 0 of a word is in its lowest 8 bits. By how many bits do you shift for it?
// Numbers begin with their highest digits.
struct Params {
    n: u32, // bytes to count
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bytes: array<u32>; // 4 in a word, the lowest first
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>; // 256

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) {
        return;
    }
    let value = (bytes[i / 4u] >> (24u - 8u * (i % 4u))) & 255u;
    atomicAdd(&bins[value], 1u);
}
