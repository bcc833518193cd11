// goals: none
// One invocation for each row: right, and slow.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3<u32>) {
    var largest = 0.0;
    for (var c = 0u; c < dims.cols; c++) {
        let v = x[group.x * dims.cols + c];
        if (v > largest) {
            largest = v;
        } else if (-v > largest) {
            largest = -v;
        }
    }
    if (largest == 0.0) {
        out[group.x] = 1.0;
        return;
    }
    out[group.x] = largest / 127.0;
}
