// diagnosis: local-place
// title: All workgroups wrote to the elements of the first one.
// why: local_invocation_id starts again at 0 in every workgroup. You use it as the index to write
//   to, so the workgroups overwrite each other's elements and never reach the rest.
// ask: Which builtin keeps counting from one workgroup to the next?
// The number is global, the place is mine in the group.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = id.x;
    if (row >= dims.rows) { return; }
    let start = row * dims.cols;
    var best = x[start];
    var index = 0u;
    for (var col = 1u; col < dims.cols; col++) {
        let value = x[start + col];
        if (value > best) {
            best = value;
            index = col;
        }
    }
    out[local.x] = index;
}
