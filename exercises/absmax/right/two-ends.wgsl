// goals: none
// way: It looks for the smallest and the largest number; the one further from 0 counts.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3<u32>) {
    var low = 0.0;
    var high = 0.0;
    for (var c = 0u; c < dims.cols; c++) {
        low = min(low, x[group.x * dims.cols + c]);
        high = max(high, x[group.x * dims.cols + c]);
    }
    let scale = max(high, -low) / 127.0;
    out[group.x] = select(1.0, scale, scale > 0.0);
}
