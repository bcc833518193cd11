// diagnosis: first-element
// title: db holds the first row of d.
// why: A bias is used in all samples, and only one of them reached db.
// ask: What lets one invocation visit all elements of its column?
// One sample is enough.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> d: array<f32>;
@group(0) @binding(2) var<storage, read_write> db: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let col = id.x;
    if (col >= dims.cols) {
        return;
    }
    db[col] = d[col];
}
