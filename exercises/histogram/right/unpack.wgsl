// goals: none
// The four bytes of a word as a vector; each invocation picks one.
struct Params {
    n: u32, // bytes to count
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bytes: array<u32>; // 4 in a word, the lowest first
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>; // 256

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    if (id.x >= params.n) { return; }
    let word = bytes[id.x >> 2u];
    let four = vec4<u32>(word, word >> 8u, word >> 16u, word >> 24u) & vec4<u32>(255u);
    atomicAdd(&bins[four[id.x & 3u]], 1u);
}
