// compact: the numbers of all pixels above 0 go to list, in order
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> starts: array<u32>; // one for each block of 256
@group(0) @binding(2) var<storage, read_write> list: array<u32>; // begins as 4294967295 everywhere

// Pass 1, one workgroup for each block: count its pixels with ink.
@compute @workgroup_size(SIZE)
fn count_ink(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) block: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    // Your lines go here, and above what the passes share.
}

// Pass 2, one workgroup: find where each block begins in the list.
@compute @workgroup_size(SIZE)
fn find_starts(@builtin(local_invocation_index) me: u32) {
    // Your lines go here.
}

// Pass 3, one workgroup for each block: write the numbers of its pixels with ink.
@compute @workgroup_size(SIZE)
fn write_list(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) block: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    // Your lines go here.
}
