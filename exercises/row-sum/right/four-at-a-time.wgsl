// goals: writes each result once
// Four elements a step with dot, then the rest one by one.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    if (row >= dims.rows) {
        return;
    }
    let begin = row * dims.cols;
    let whole = dims.cols / 4u * 4u;
    var sum = 0.0;
    for (var c = 0u; c < whole; c += 4u) {
        let i = begin + c;
        sum += dot(vec4<f32>(x[i], x[i + 1u], x[i + 2u], x[i + 3u]), vec4<f32>(1.0));
    }
    for (var c = whole; c < dims.cols; c++) {
        sum += x[begin + c];
    }
    out[row] = sum;
}
