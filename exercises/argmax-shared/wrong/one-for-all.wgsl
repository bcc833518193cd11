// diagnosis: missing-barrier
// The best so far is one number, and all compare with it.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

var<workgroup> best: f32;
var<workgroup> place: u32;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    var largest = -3.4e38;
    var at = 0u;
    for (var col = me; col < dims.cols; col += SIZE) {
        let value = x[group.x * dims.cols + col];
        if (value > largest) {
            largest = value;
            at = col;
        }
    }
    if (largest > best) {
        best = largest;
        place = at;
    }
    workgroupBarrier();
    if (me == 0u) {
        out[group.x] = place;
    }
}
