// goals: coalesced; writes each result once
// way: Two indices walk down the columns by whole rows, and fma multiplies and adds in one step.
// Two indices that walk down the columns.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> d: array<f32>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;

@compute @workgroup_size(8, 8, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < dims.n && id.y < dims.k) {
        var from_x = id.y;
        var from_d = id.x;
        var sum = 0f;
        loop {
            if (from_d >= dims.m * dims.n) { break; }
            sum = fma(x[from_x], d[from_d], sum);
            from_x += dims.k;
            from_d += dims.n;
        }
        dw[id.y * dims.n + id.x] = sum;
    }
}
