// diagnosis: first-element
// title: The output holds the first element of each row.
// why: Invocation 0 wrote its element, and it was never compared with the others.
// ask: Invocation 1 has an element as well. Which invocation looks at it?
// Element 0 has the largest.
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
        out[group.x] = x[start];
    }
}
