// diagnosis: no-reduction
// title: The output holds only what invocation 0 found.
// why: Each invocation found the largest magnitude of its share. The results of the others never reached the output.
// ask: Invocation 1 found something as well. Which line brings it into the output?
// Entry 0 knows the largest.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> shared_max: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.x;
    let me = local.x;
    var largest = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        largest = max(largest, abs(x[row * dims.cols + c]));
    }
    shared_max[me] = largest;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            shared_max[me] = shared_max[me];
        }
    }
    if (me == 0u) {
        out[row] = select(shared_max[0] / 127.0, 1.0, shared_max[0] == 0.0);
    }
}
