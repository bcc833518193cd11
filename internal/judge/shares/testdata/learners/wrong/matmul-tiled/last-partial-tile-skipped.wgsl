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
    let steps = dims.k / TILE;
    var sum = 0.0;
    for (var s = 0u; s < steps; s += 1u) {
        let ca = s * TILE + local.x; // column of a
        let rb = s * TILE + local.y; // row of b
        var va = 0.0;
        var vb = 0.0;
        if (row < dims.m && ca < dims.k) { va = a[row * dims.k + ca]; }
        if (rb < dims.k && col < dims.n) { vb = b[rb * dims.n + col]; }
        tile_a[local.y][local.x] = va;
        tile_b[local.y][local.x] = vb;
        workgroupBarrier();
        for (var i = 0u; i < TILE; i += 1u) {
            sum += tile_a[local.y][i] * tile_b[i][local.x];
        }
        workgroupBarrier();
    }
    if (row < dims.m && col < dims.n) {
        out[row * dims.n + col] = sum;
    }
}
