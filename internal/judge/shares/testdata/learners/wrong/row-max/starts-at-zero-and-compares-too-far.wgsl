// row-max: out[row] is the largest element of that row of x; one workgroup takes one row
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    var most = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        most = max(most, x[group.x * dims.cols + c]);
    }
    partial[me] = most;
    for (var half = SIZE; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            partial[me] = max(partial[me], partial[me + half]);
        }
    }
    if (me == 0u) {
        out[group.x] = partial[0];
    }
}
