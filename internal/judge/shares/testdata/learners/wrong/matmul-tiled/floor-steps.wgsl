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

var<workgroup> A: array<array<f32, TILE>, TILE>;
var<workgroup> B: array<array<f32, TILE>, TILE>;
fn fetch_a(r: u32, c: u32) -> f32 {
    if (r < dims.m && c < dims.k) { return a[r * dims.k + c]; }
    return 0.0;
}
fn fetch_b(r: u32, c: u32) -> f32 {
    if (r < dims.k && c < dims.n) { return b[r * dims.n + c]; }
    return 0.0;
}

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let steps = dims.k / TILE;
    var acc = 0.0;
    for (var s = 0u; s < steps; s += 1u) {
        A[local.y][local.x] = fetch_a(id.y, s * TILE + local.x);
        B[local.y][local.x] = fetch_b(s * TILE + local.y, id.x);
        workgroupBarrier();
        for (var i = 0u; i < TILE; i += 1u) {
            acc = fma(A[local.y][i], B[i][local.x], acc);
        }
        workgroupBarrier();
    }
    if (id.y < dims.m) {
        if (id.x < dims.n) { out[id.y * dims.n + id.x] = acc; }
    }
}
