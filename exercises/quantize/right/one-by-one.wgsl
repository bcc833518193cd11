// goals: coalesced
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> scales: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= dims.rows * dims.cols / 4u) {
        return;
    }
    let scale = scales[id.x / (dims.cols / 4u)];
    let a = i32(round(x[4u * id.x] / scale)) & 255;
    let b = i32(round(x[4u * id.x + 1u] / scale)) & 255;
    let c = i32(round(x[4u * id.x + 2u] / scale)) & 255;
    let d = i32(round(x[4u * id.x + 3u] / scale)) & 255;
    out[id.x] = u32(a | (b << 8u) | (c << 16u) | (d << 24u));
}
