// running-sums: out[i] = x[0] + … + x[i], in three passes
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;

// Scans each block of 256 elements, and writes its sum to sums.
@compute @workgroup_size(256)
fn scan_blocks(@builtin(global_invocation_id) id: vec3<u32>) {
    // Your lines go here.
}

// Scans the sums.
@compute @workgroup_size(256)
fn scan_sums(@builtin(local_invocation_index) local: u32) {
}

// Adds to each element the sum of the blocks before.
@compute @workgroup_size(64)
fn add_sums(@builtin(global_invocation_id) id: vec3<u32>) {
}
