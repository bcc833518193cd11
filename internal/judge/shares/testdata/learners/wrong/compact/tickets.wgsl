// compact: the numbers of all pixels above 0 go to list, in order
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> starts: array<u32>; // one for each block of 256
@group(0) @binding(2) var<storage, read_write> list: array<u32>; // begins as 4294967295 everywhere

var<workgroup> c: atomic<u32>;

@compute @workgroup_size(SIZE)
fn count_ink(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) block: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    if (id.x < arrayLength(&image) && image[id.x] > 0.0) { atomicAdd(&c, 1u); }
    workgroupBarrier();
    if (me == 0u) { starts[block.x] = atomicLoad(&c); }
}

@compute @workgroup_size(SIZE)
fn find_starts(@builtin(local_invocation_index) me: u32) {
    if (me == 0u) {
        var run = 0u;
        for (var b = 0u; b < arrayLength(&starts); b++) {
            let here = starts[b];
            starts[b] = run;
            run += here;
        }
    }
}

@compute @workgroup_size(SIZE)
fn write_list(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) block: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    if (id.x < arrayLength(&image) && image[id.x] > 0.0) {
        let ticket = atomicAdd(&c, 1u);
        list[starts[block.x] + ticket] = id.x;
    }
}
