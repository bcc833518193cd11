// diagnosis: no-reduction
// title: The output holds the column that invocation 0 found.
// why: Each invocation found the best column of its share, but only that of invocation 0 reached
//   the output. Perhaps only their values did.
// ask: Invocation 1 found a column as well. Where is it, and which line brings it into the output?
// Place 0 knows the best.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

var<workgroup> best: array<f32, SIZE>;
var<workgroup> place: array<u32, SIZE>;

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
    best[me] = largest;
    place[me] = at;
    workgroupBarrier();
    if (me == 0u) {
        out[group.x] = place[0];
    }
}
