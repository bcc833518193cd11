// compact: the numbers of all pixels above 0 go to list, in order
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> starts: array<u32>; // one for each block of 256
@group(0) @binding(2) var<storage, read_write> list: array<u32>; // begins as 4294967295 everywhere

var<workgroup> n: array<u32, SIZE>;

fn scan(me: u32, v: u32) -> u32 {
    n[me] = v;
    for (var s = 1u; s < SIZE; s *= 2u) {
        workgroupBarrier();
        var o = 0u;
        if (me >= s) { o = n[me - s]; }
        workgroupBarrier();
        n[me] += o;
    }
    workgroupBarrier();
    return n[me] - v;
}

fn ink(i: u32) -> u32 {
    if (i >= arrayLength(&image)) { return 0u; }
    return select(0u, 1u, image[i] > 0.0);
}

@compute @workgroup_size(SIZE)
fn count_ink(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) block: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let v = ink(id.x);
    let b = scan(me, v);
    if (me == SIZE - 1u) { starts[block.x] = b + v; }
}

@compute @workgroup_size(SIZE)
fn find_starts(@builtin(local_invocation_index) me: u32) {
    var v = 0u;
    if (me < arrayLength(&starts)) { v = starts[me]; }
    let b = scan(me, v);
    if (me < arrayLength(&starts)) { starts[me] = b; }
}

@compute @workgroup_size(SIZE)
fn write_list(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) block: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let v = ink(id.x);
    let place = starts[block.x] + scan(me, v);
    if (v == 1u) { list[place] = place; }
}
