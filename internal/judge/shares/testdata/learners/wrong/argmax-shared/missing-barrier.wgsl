// argmax-shared: for each row the index of its largest value; one workgroup takes one row
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

var<workgroup> value: array<f32, SIZE>;
var<workgroup> column: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    value[me] = -3.4028234e38;
    column[me] = 0u;
    for (var c = me; c < dims.cols; c += SIZE) {
        let e = x[group.x * dims.cols + c];
        if (e > value[me]) {
            value[me] = e;
            column[me] = c;
        }
    }
    for (var h = SIZE / 2u; h > 0u; h /= 2u) {
        if (me < h) {
            let a = value[me];
            let b = value[me + h];
            if (b > a || (b == a && column[me + h] < column[me])) {
                value[me] = b;
                column[me] = column[me + h];
            }
        }
        workgroupBarrier();
    }
    if (me == 0u) { out[group.x] = column[0]; }
}
