// diagnosis: arrival-order
// Each pixel takes the next number, and none is lost.
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> starts: array<u32>; // one for each block
@group(0) @binding(2) var<storage, read_write> list: array<u32>; // numbers of pixels

var<workgroup> next: atomic<u32>;

// ink returns 1 for a pixel above 0, and 0 for any other and past the end.
fn ink(i: u32) -> u32 {
    if (i < arrayLength(&image) && image[i] > 0.0) {
        return 1u;
    }
    return 0u;
}

@compute @workgroup_size(SIZE)
fn count_ink(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) block: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    atomicAdd(&next, ink(id.x));
    workgroupBarrier();
    if (me == 0u) {
        starts[block.x] = atomicLoad(&next);
    }
}

@compute @workgroup_size(1)
fn find_starts() {
    var sum = 0u;
    for (var block = 0u; block < arrayLength(&starts); block++) {
        let own = starts[block];
        starts[block] = sum;
        sum += own;
    }
}

@compute @workgroup_size(SIZE)
fn write_list(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) block: vec3<u32>,
) {
    if (ink(id.x) == 1u) {
        list[starts[block.x] + atomicAdd(&next, 1u)] = id.x;
    }
}
