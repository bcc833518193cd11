// grad-weights: dw = xᵀ · d, for x (m × k) and d (m × n); a sample in each of the m rows
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> d: array<f32>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let out_col = id.x;
    let in_row = id.y;
    if (in_row >= dims.m) { return; }
    if (out_col >= dims.n) { return; }
    var total = 0.0;
    var px = in_row;
    var pd = out_col;
    for (var left = dims.m; left > 0u; left--) {
        total += x[px] * d[pd];
        px += dims.k;
        pd += dims.n;
    }
    dw[in_row * dims.n + out_col] = total;
}
