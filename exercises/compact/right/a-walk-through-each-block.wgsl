// goals: none
// way: One invocation walks through each block: the blocks run side by side, their pixels do not.
// No workgroup memory.
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> starts: array<u32>; // one for each block
@group(0) @binding(2) var<storage, read_write> list: array<u32>; // numbers of pixels

// ink returns 1 for a pixel above 0, and 0 for any other and past the end.
fn ink(i: u32) -> u32 {
    if (i < arrayLength(&image) && image[i] > 0.0) {
        return 1u;
    }
    return 0u;
}

@compute @workgroup_size(1)
fn count_ink(@builtin(workgroup_id) block: vec3<u32>) {
    var sum = 0u;
    for (var i = block.x * SIZE; i < (block.x + 1u) * SIZE; i++) {
        sum += ink(i);
    }
    starts[block.x] = sum;
}

@compute @workgroup_size(1)
fn find_starts() {
    var sum = 0u;
    for (var i = 0u; i < arrayLength(&starts); i++) {
        let own = starts[i];
        starts[i] = sum;
        sum += own;
    }
}

@compute @workgroup_size(1)
fn write_list(@builtin(workgroup_id) block: vec3<u32>) {
    var place = starts[block.x];
    for (var i = block.x * SIZE; i < (block.x + 1u) * SIZE; i++) {
        if (ink(i) == 1u) {
            list[place] = i;
            place++;
        }
    }
}
