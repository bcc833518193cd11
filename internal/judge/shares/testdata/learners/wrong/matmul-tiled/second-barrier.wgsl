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

var<workgroup> left: array<array<f32, TILE>, TILE>;
var<workgroup> right: array<array<f32, TILE>, TILE>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let steps = (dims.k + TILE - 1u) / TILE;
    let inside = id.y < dims.m && id.x < dims.n;
    var sum = 0.0;
    for (var s = 0u; s < steps; s++) {
        let ka = s * TILE + local.x;
        let kb = s * TILE + local.y;
        left[local.y][local.x] = 0.0;
        right[local.y][local.x] = 0.0;
        if (id.y < dims.m && ka < dims.k) { left[local.y][local.x] = a[id.y * dims.k + ka]; }
        if (kb < dims.k && id.x < dims.n) { right[local.y][local.x] = b[kb * dims.n + id.x]; }
        workgroupBarrier();
        for (var i = 0u; i < TILE; i++) {
            sum += left[local.y][i] * right[i][local.x];
        }
    }
    if (inside) { out[id.y * dims.n + id.x] = sum; }
}
