// diagnosis: reads-past-row
// title: Elements of the next rows were searched as well.
// why: A row can have fewer elements than the workgroup has invocations. The ones left over read on
//   into the next row.
// ask: With 10 columns and 64 invocations, which element does invocation 12 read?
// Each invocation has an element.
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
    if (row >= dims.rows) {
        return;
    }
    var c = me;
    var best = x[row * dims.cols + c];
    c += SIZE;
    while (c < (dims.cols + SIZE - 1u) / SIZE * SIZE) {
        best = max(best, x[row * dims.cols + c]);
        c += SIZE;
    }
    shared_max[me] = best;
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            shared_max[me] = max(shared_max[me], shared_max[me + half]);
        }
        workgroupBarrier();
    }
    if (me == 0u) {
        out[row] = shared_max[0];
    }
}
