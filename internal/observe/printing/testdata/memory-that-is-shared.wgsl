@group(0) @binding(0) var<storage, read_write> data: array<u32>;
var<workgroup> tile: array<u32, 4>;
var<workgroup> count: atomic<u32>;
var<workgroup> all: array<atomic<i32>, 2>;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) i: u32) {
    tile[i] = data[id.x];
    atomicAdd(&count, i);
    atomicSub(&all[1], 2);
    workgroupBarrier(); // print: tile, count, all[1u]
    workgroupBarrier();
    for (var half = 2u; half > 0u; half /= 2u) {
        if (i < half) { tile[i] += tile[i + half]; }
        workgroupBarrier(); // print if i == 0u: tile[0], atomicLoad(&count), half
    }
}
