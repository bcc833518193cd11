// compact: the numbers of all pixels above 0 go to list, in order
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> starts: array<u32>; // one for each block of 256
@group(0) @binding(2) var<storage, read_write> list: array<u32>; // begins as 4294967295 everywhere

var<workgroup> flags: array<u32, SIZE>;

fn has_ink(i: u32) -> bool {
    return i < arrayLength(&image) && image[i] > 0.0;
}

fn before(me: u32) -> u32 {
    var sum = 0u;
    for (var i = 0u; i < me; i++) { sum += flags[i]; }
    return sum;
}

@compute @workgroup_size(SIZE)
fn count_ink(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) block: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    flags[me] = select(0u, 1u, has_ink(id.x));
    workgroupBarrier();
    if (me == SIZE - 1u) {
        starts[block.x] = before(me);
    }
}

@compute @workgroup_size(SIZE)
fn find_starts(@builtin(local_invocation_index) me: u32) {
    flags[me] = 0u;
    if (me < arrayLength(&starts)) { flags[me] = starts[me]; }
    workgroupBarrier();
    if (me < arrayLength(&starts)) { starts[me] = before(me); }
}

@compute @workgroup_size(SIZE)
fn write_list(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) block: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    flags[me] = select(0u, 1u, has_ink(id.x));
    workgroupBarrier();
    if (has_ink(id.x)) { list[starts[block.x] + before(me)] = id.x; }
}
