// compact: the numbers of all pixels above 0 go to list, in order
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> starts: array<u32>; // one for each block of 256
@group(0) @binding(2) var<storage, read_write> list: array<u32>; // begins as 4294967295 everywhere

var<workgroup> tally: array<u32, SIZE>;

fn prefix(me: u32) {
    for (var s = 1u; s < SIZE; s = s * 2u) {
        workgroupBarrier();
        var more = 0u;
        if (me >= s) {
            more = tally[me - s];
        }
        workgroupBarrier();
        tally[me] += more;
    }
    workgroupBarrier();
}

@compute @workgroup_size(SIZE)
fn count_ink(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) block: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    tally[me] = 0u;
    if (id.x < arrayLength(&image)) {
        if (image[id.x] > 0.0) { tally[me] = 1u; }
    }
    prefix(me);
    if (me == 0u) { starts[block.x] = tally[255]; }
}

@compute @workgroup_size(SIZE)
fn find_starts(@builtin(local_invocation_index) me: u32) {
    let blocks = arrayLength(&starts);
    var own = 0u;
    if (me < blocks) { own = starts[me]; }
    tally[me] = own;
    prefix(me);
    if (me < blocks) { starts[me] = tally[me] - own; }
}

@compute @workgroup_size(SIZE)
fn write_list(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) block: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    var has = false;
    if (id.x < arrayLength(&image)) { has = image[id.x] > 0.0; }
    tally[me] = select(0u, 1u, has);
    prefix(me);
    if (has) {
        let place = tally[me] - 1u;
        list[place] = id.x;
    }
}
