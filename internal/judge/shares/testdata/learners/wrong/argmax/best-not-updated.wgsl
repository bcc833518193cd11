// argmax: for each row the index of its largest value; the lowest index wins a tie
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let r = id.x;
    if (r < dims.rows) {
        var best = x[r * dims.cols];
        var at = 0u;
        for (var c = 0u; c < dims.cols; c++) {
            let v = x[r * dims.cols + c];
            if (v > best) {
                at = c;
            }
        }
        out[r] = at;
    }
}
