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
    let tiles = (dims.k + TILE - 1u) / TILE;
    var sum = 0.0;
    for (var t = 0u; t < tiles; t += 1u) {
        let k_a = t * TILE + local.x;
        let k_b = local.y;
        if (id.y < dims.m && k_a < dims.k) {
            tile_a[local.y][local.x] = a[id.y * dims.k + k_a];
        } else {
            tile_a[local.y][local.x] = 0.0;
        }
        if (id.x < dims.n && k_b < dims.k) {
            tile_b[local.y][local.x] = b[k_b * dims.n + id.x];
        } else {
            tile_b[local.y][local.x] = 0.0;
        }
        workgroupBarrier();
        for (var i = 0u; i < TILE; i += 1u) {
            sum += tile_a[local.y][i] * tile_b[i][local.x];
        }
        workgroupBarrier();
    }
    if (id.y < dims.m && id.x < dims.n) {
        out[id.y * dims.n + id.x] = sum;
    }
}
