// histogram: add to bins[v] how often v is among the first n bytes
struct Params {
    n: u32, // bytes to count
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bytes: array<u32>; // 4 in a word, the lowest first
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>; // 256

var<workgroup> bag: array<atomic<u32>, 256>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let i = id.x;
    if (i < params.n) {
        let v = unpack4x8unorm(bytes[i / 4u]);
        atomicAdd(&bag[u32(round(v[i & 3u] * 255.0))], 1u);
    }
    workgroupBarrier();
    let c = atomicLoad(&bag[local.x]);
    if (c != 0u) { atomicAdd(&bins[local.x], c); }
}
