// diagnosis: missing-guard
// The host knows how many rows there are.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;

    let start = row * dims.cols;
    var best = x[start];
    var index = 0u;
    for (var col = 1u; col < dims.cols; col++) {
        let value = x[start + col];
        if (value > best) {
            best = value;
            index = col;
        }
    }
    out[row] = index;
}
