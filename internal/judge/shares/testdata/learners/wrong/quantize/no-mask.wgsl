// quantize: four numbers of x, divided by the scale of their row and rounded, become four signed bytes in a word
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> scales: array<f32>; // one for each row
@group(0) @binding(3) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let words = dims.rows * dims.cols / 4u;
    if (id.x < words) {
        let row = id.x * 4u / dims.cols;
        var packed = 0u;
        var j = 0u;
        while (j < 4u) {
            let b = bitcast<u32>(i32(round(x[id.x * 4u + j] / scales[row])));
            packed = packed | (b << (j * 8u));
            j++;
        }
        out[id.x] = packed;
    }
}
