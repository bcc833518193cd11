// diagnosis: last-element
// title: The output holds the last element of each row.
// why: Each element replaced the previous one without a comparison.
// ask: When should a new element replace the largest so far?
// The variable holds what the loop finds.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    if (local.x == 0u) {
        let start = group.x * dims.cols;
        var best = x[start];
        for (var c = 1u; c < dims.cols; c++) {
            best = x[start + c];
        }
        out[group.x] = best;
    }
}
