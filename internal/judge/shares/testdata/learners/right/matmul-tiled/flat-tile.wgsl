// matmul-tiled: out = a · b as in matmul, with tiles of a and b in workgroup memory
const TILE = 16u;
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

var<workgroup> flat_a: array<f32, 256>;
var<workgroup> flat_b: array<f32, 256>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.y * TILE + local.x;
    var sum = 0.0;
    let steps = (dims.k + TILE - 1u) / TILE;
    for (var s = steps; s > 0u; s--) {
        let k0 = (s - 1u) * TILE;
        var p = 0.0;
        var q = 0.0;
        if (id.y < dims.m && k0 + local.x < dims.k) { p = a[id.y * dims.k + k0 + local.x]; }
        if (id.x < dims.n && k0 + local.y < dims.k) { q = b[(k0 + local.y) * dims.n + id.x]; }
        workgroupBarrier();
        flat_a[me] = p;
        flat_b[me] = q;
        workgroupBarrier();
        for (var i = 0u; i < TILE; i++) {
            sum += flat_a[local.y * TILE + i] * flat_b[i * TILE + local.x];
        }
    }
    if (id.y < dims.m && id.x < dims.n) {
        out[id.y * dims.n + id.x] = sum;
    }
}
