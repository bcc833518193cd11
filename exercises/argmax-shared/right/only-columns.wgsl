// goals: no bank conflicts
// Workgroup memory holds columns alone; the values are looked up in x again.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

var<workgroup> column: array<u32, 128>;

fn wins(row: u32, a: u32, b: u32) -> bool {
    let left = x[row * dims.cols + a];
    let right = x[row * dims.cols + b];
    return left > right || (left == right && a < b);
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.x;
    var mine = min(local.x, dims.cols - 1u);
    for (var c = local.x + 128u; c < dims.cols; c += 128u) {
        if (wins(row, c, mine)) { mine = c; }
    }
    column[local.x] = mine;
    for (var half = 64u; half > 0u; half >>= 1u) {
        workgroupBarrier();
        if (local.x < half && wins(row, column[local.x + half], column[local.x])) {
            column[local.x] = column[local.x + half];
        }
    }
    if (local.x == 0u) { out[row] = column[0]; }
}
