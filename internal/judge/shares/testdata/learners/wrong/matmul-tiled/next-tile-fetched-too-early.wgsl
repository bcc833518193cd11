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
    let row = id.y;
    let col = id.x;
    var sum = 0.0;
    for (var first = 0u; first < dims.k; first += TILE) {
        tile_a[local.y][local.x] = 0.0;
        tile_b[local.y][local.x] = 0.0;
        if (row < dims.m && first + local.x < dims.k) {
            tile_a[local.y][local.x] = a[row * dims.k + first + local.x];
        }
        if (first + local.y < dims.k && col < dims.n) {
            tile_b[local.y][local.x] = b[(first + local.y) * dims.n + col];
        }
        workgroupBarrier(); // both tiles are complete
        for (var i = 0u; i < TILE; i += 1u) {
            sum += tile_a[local.y][i] * tile_b[i][local.x];
        }
    }
    if (row < dims.m && col < dims.n) {
        out[row * dims.n + col] = sum;
    }
}
