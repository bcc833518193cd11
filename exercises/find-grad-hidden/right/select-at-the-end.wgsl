// goals: coalesced
// The bug is in this line: if (hidden[col] > 0.0) {
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> d: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> hidden: array<f32>;
@group(0) @binding(4) var<storage, read_write> dh: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    if (row >= dims.m || col >= dims.k) {
        return;
    }
    let at = row * dims.k + col;
    var total = 0.0;
    for (var i = 0u; i < dims.n; i++) {
        total += d[row * dims.n + i] * w[col * dims.n + i];
    }
    dh[at] = select(0.0, total, hidden[at] > 0.0);
}
