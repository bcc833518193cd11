// absmax: out[row] is the scale of that row of x (rows × cols): its largest magnitude
// divided by 127. A row of zeros gets 1, so that nothing is divided by 0 later.
//
// A number divided by its row's scale is between -127 and 127, so it fits in a signed
// byte. One workgroup takes one row, as in row-max.

const SIZE = 64u; // a power of two

struct Dims {
    rows: u32,
    cols: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> largest: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.x;
    let me = local.x;
    var mine = 0.0;
    for (var column = me; column < dims.cols; column += SIZE) {
        mine = max(mine, abs(x[row * dims.cols + column]));
    }
    largest[me] = mine;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            largest[me] = max(largest[me], largest[me + half]);
        }
    }
    if (me == 0u) {
        out[row] = select(largest[0] / 127.0, 1.0, largest[0] == 0.0);
    }
}
