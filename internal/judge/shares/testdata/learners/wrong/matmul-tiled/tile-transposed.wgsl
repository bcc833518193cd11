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

var<workgroup> ta: array<array<f32, TILE>, TILE>;
var<workgroup> tb: array<array<f32, TILE>, TILE>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    var sum = 0.0;
    for (var t = 0u; t < dims.k; t += TILE) {
        var va = 0.0;
        if (row < dims.m && t + local.x < dims.k) { va = a[row * dims.k + t + local.x]; }
        var vb = 0.0;
        if (t + local.y < dims.k && col < dims.n) { vb = b[(t + local.y) * dims.n + col]; }
        ta[local.y][local.x] = va;
        tb[local.y][local.x] = vb;
        workgroupBarrier();
        for (var i = 0u; i < TILE; i++) {
            sum += ta[local.y][i] * tb[local.x][i];
        }
        workgroupBarrier();
    }
    if (row < dims.m && col < dims.n) { out[row * dims.n + col] = sum; }
}
