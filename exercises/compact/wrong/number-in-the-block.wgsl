// diagnosis: number-in-the-block
// title: From the second block on, the numbers begin at 0 again.
// why: The list should hold the number of the pixel in the whole image. Your shader writes its
//   number in the block.
// ask: What is the number of the first pixel of the second block?
// me is the number.
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> starts: array<u32>; // one for each block
@group(0) @binding(2) var<storage, read_write> list: array<u32>; // numbers of pixels

var<workgroup> part: array<u32, SIZE>;

// before returns the sum of the values that the invocations before this one bring.
fn before(me: u32, value: u32) -> u32 {
    part[me] = value;
    for (var stride = 1u; stride < SIZE; stride *= 2u) {
        workgroupBarrier();
        var other = 0u;
        if (me >= stride) {
            other = part[me - stride];
        }
        workgroupBarrier();
        part[me] += other;
    }
    return part[me] - value;
}

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
    let own = ink(id.x);
    let sum = before(me, own);
    if (me == SIZE - 1u) {
        starts[block.x] = sum + own;
    }
}

@compute @workgroup_size(SIZE)
fn find_starts(@builtin(local_invocation_index) me: u32) {
    var own = 0u;
    if (me < arrayLength(&starts)) {
        own = starts[me];
    }
    let sum = before(me, own);
    if (me < arrayLength(&starts)) {
        starts[me] = sum;
    }
}

@compute @workgroup_size(SIZE)
fn write_list(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) block: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let own = ink(id.x);
    let sum = before(me, own);
    if (own == 1u) {
        list[starts[block.x] + sum] = me;
    }
}
