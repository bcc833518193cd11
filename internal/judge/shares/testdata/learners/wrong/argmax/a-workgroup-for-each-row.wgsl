// argmax: for each row the index of its largest value; the lowest index wins a tie
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.x;
    if (local.x == 0u && row < dims.rows) {
        var best = 0u;
        for (var c = 1u; c < dims.cols; c += 1u) {
            if (x[row * dims.cols + c] > x[row * dims.cols + best]) {
                best = c;
            }
        }
        out[row] = best;
    }
}
