// histogram: add to bins[v] how often v is among the first n bytes
struct Params {
    n: u32, // bytes to count
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bytes: array<u32>; // 4 in a word, the lowest first
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>; // 256

var<workgroup> mine: array<atomic<u32>, 256>;
fn value_of(i: u32) -> u32 {
    return (bytes[i / 4u] >> ((i % 4u) * 8u)) & 0xffu;
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    if (id.x < params.n) {
        atomicAdd(&mine[value_of(id.x)], 1u);
    }
    workgroupBarrier();
    atomicStore(&bins[local.x], atomicLoad(&mine[local.x]));
}
