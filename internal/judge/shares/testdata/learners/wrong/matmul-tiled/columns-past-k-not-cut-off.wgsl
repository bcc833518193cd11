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

var<workgroup> tile_a: array<array<f32, TILE>, TILE>;
var<workgroup> tile_b: array<array<f32, TILE>, TILE>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let steps = (dims.k + TILE - 1u) / TILE;
    var total: f32 = 0.0;
    for (var s = 0u; s < steps; s++) {
        let k_a = s * TILE + local.x;
        let k_b = s * TILE + local.y;
        var va = 0.0;
        if (id.y < dims.m) {
            va = a[id.y * dims.k + k_a];
        }
        var vb = 0.0;
        if (id.x < dims.n) {
            vb = b[k_b * dims.n + id.x];
        }
        tile_a[local.y][local.x] = va;
        tile_b[local.y][local.x] = vb;
        workgroupBarrier();
        for (var i = 0u; i < TILE; i++) {
            total += tile_a[local.y][i] * tile_b[i][local.x];
        }
        workgroupBarrier();
    }
    if (id.y < dims.m && id.x < dims.n) {
        out[id.y * dims.n + id.x] = total;
    }
}
