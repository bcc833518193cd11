// goals: none
// way: Four products a step: `dot` multiplies four elements of the row by four of the column.
// Four terms a step with dot, and the rest one by one.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(4, 4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    if (row >= dims.m) { return; }
    if (col >= dims.n) { return; }
    let r = row * dims.k;
    let n = dims.n;
    let whole = dims.k / 4u * 4u;
    var sum = 0.0;
    for (var i = 0u; i < whole; i += 4u) {
        let left = vec4<f32>(a[r + i], a[r + i + 1u], a[r + i + 2u], a[r + i + 3u]);
        let c = i * n + col;
        let right = vec4<f32>(b[c], b[c + n], b[c + 2u * n], b[c + 3u * n]);
        sum += dot(left, right);
    }
    for (var i = whole; i < dims.k; i++) {
        sum += a[r + i] * b[i * n + col];
    }
    out[row * n + col] = sum;
}
