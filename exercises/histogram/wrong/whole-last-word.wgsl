// diagnosis: all-bytes
// title: Your shader counts the bytes past n as well.
// why: A word holds four bytes, and your guard lets all four of the last one through. Only the
//   first n bytes count.
// ask: With n = 63, how many bytes of the last word count?
// The buffer says how much there is.
struct Params {
    n: u32, // bytes to count
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bytes: array<u32>; // 4 in a word, the lowest first
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>; // 256

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let i = id.x;
    if (i / 4u >= arrayLength(&bytes)) {
        return;
    }
    let value = (bytes[i / 4u] >> (8u * (i % 4u))) & 255u;
    atomicAdd(&bins[value], 1u);
}
