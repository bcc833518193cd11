// argmax-shared: out[row] is the index of the largest number in that row of x (rows × cols).
//
// One workgroup works on one row. A candidate is a number and its column. First each
// invocation finds the best of its own columns: every SIZE-th one, starting at its
// own index. Then a tree halves the candidates until one is left. A larger number
// wins, and of equal ones the lower column: it may come from either half.

const SIZE = 64u; // a power of two
const LOWEST = -3.4028234e+38; // the lowest f32

struct Dims {
    rows: u32,
    cols: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

var<workgroup> values: array<f32, SIZE>;
var<workgroup> columns: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    let start = group.x * dims.cols;
    let me = local.x;
    values[me] = LOWEST;
    for (var column = me; column < dims.cols; column += SIZE) {
        if (x[start + column] > values[me]) {
            values[me] = x[start + column];
            columns[me] = column;
        }
    }
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half && beats(me + half, me)) {
            values[me] = values[me + half];
            columns[me] = columns[me + half];
        }
    }
    if (me == 0u) {
        out[group.x] = columns[0];
    }
}

fn beats(a: u32, b: u32) -> bool {
    return values[a] > values[b] || (values[a] == values[b] && columns[a] < columns[b]);
}
