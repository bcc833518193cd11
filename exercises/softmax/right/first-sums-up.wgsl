// goals: no bank conflicts; few barriers
// Everybody its share, then invocation 0 looks at all shares; two single variables.
const SIZE = 24u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

var<workgroup> shares: array<f32, SIZE>;
var<workgroup> largest: f32;
var<workgroup> total: f32;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let start = group.x * dims.cols;
    let me = local.x;
    var share = data[start];
    for (var c = me; c < dims.cols; c += SIZE) {
        share = max(share, data[start + c]);
    }
    shares[me] = share;
    workgroupBarrier();
    if (me == 0u) {
        largest = shares[0];
        for (var i = 1u; i < SIZE; i++) {
            largest = max(largest, shares[i]);
        }
    }
    workgroupBarrier();
    share = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        share += exp(data[start + c] - largest);
    }
    shares[me] = share;
    workgroupBarrier();
    if (me == 0u) {
        for (var i = 0u; i < SIZE; i++) {
            total += shares[i];
        }
    }
    workgroupBarrier();
    for (var c = me; c < dims.cols; c += SIZE) {
        data[start + c] = exp(data[start + c] - largest) / total;
    }
}
