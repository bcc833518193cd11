// goals: none
// A guarded if, and indices that are computed beforehand.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.y < dims.m && id.x < dims.n) {
        var total: f32 = 0.0;
        let begin = id.y * dims.k;
        var j = id.x;
        for (var i: u32 = 0u; i < dims.k; i = i + 1u) {
            total = total + a[begin + i] * b[j];
            j += dims.n;
        }
        out[id.y * dims.n + id.x] = total;
    }
}
