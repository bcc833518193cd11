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
    if (id.x * 4u < dims.rows * dims.cols) {
        let row = id.x / dims.cols;
        let s = scales[row];
        let p = id.x * 4u;
        let four = vec4(x[p], x[p + 1u], x[p + 2u], x[p + 3u]);
        let q = vec4<i32>(round(four / s));
        let u = vec4<u32>(q) & vec4(0xffu);
        out[id.x] = u.x | (u.y << 8u) | (u.z << 16u) | (u.w << 24u);
    }
}
