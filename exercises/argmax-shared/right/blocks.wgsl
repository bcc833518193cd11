// goals: no bank conflicts
// Each invocation takes a block of neighbouring columns, so the lower invocation wins a tie.
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
    let width = (dims.cols + SIZE - 1u) / SIZE;
    let end = min((me + 1u) * width, dims.cols);
    var largest = -3.4028234e38;
    var at = dims.cols;
    for (var c = me * width; c < end; c++) {
        let value = x[group.x * dims.cols + c];
        if (value > largest) {
            largest = value;
            at = c;
        }
    }
    best[me] = largest;
    place[me] = at;
    workgroupBarrier();
    if (me == 0u) {
        var winner = 0u;
        for (var i = 1u; i < SIZE; i++) {
            if (best[i] > best[winner]) {
                winner = i;
            }
        }
        out[group.x] = place[winner];
    }
}
