// scan: out[i] is the sum of all elements before x[i]
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>; // one for each block of 256

// Pass 1, one workgroup for each block: scan it, and leave its sum in sums.
@compute @workgroup_size(SIZE)
fn scan_blocks(
    // Your lines go here: its parameters.
) {
    // Your lines go here, and above what the passes share.
}

// Pass 2, one workgroup: scan the sums.
@compute @workgroup_size(SIZE)
fn scan_sums(
    // Your lines go here: its parameters.
) {
    // Your lines go here.
}

// Pass 3, one invocation for each element: add what comes before its block.
@compute @workgroup_size(SIZE)
fn add_sums(
    // Your lines go here: its parameters.
) {
    // Your lines go here.
}
