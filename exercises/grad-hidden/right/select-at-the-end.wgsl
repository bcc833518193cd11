// goals: coalesced
// The whole sum, then select.
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

@compute @workgroup_size(8, 8, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < dims.k && id.y < dims.m) {
        var sum = 0f;
        for (var i = 0u; i < dims.n; i += 1u) {
            sum = fma(d[id.y * dims.n + i], w[id.x * dims.n + i], sum);
        }
        dh[id.y * dims.k + id.x] = select(0.0, sum, hidden[id.y * dims.k + id.x] > 0.0);
    }
}
