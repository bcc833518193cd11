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

var<workgroup> as_: array<f32, 256>;
var<workgroup> bs_: array<f32, 256>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let own = local.y * TILE + local.x;
    let tiles = (dims.k + TILE - 1u) / TILE;
    var sum = 0.0;
    for (var t = 0u; t < tiles; t++) {
        let ka = t * TILE + local.x;
        let kb = t * TILE + local.y;
        if (id.y < dims.m && ka < dims.k) {
            as_[own] = a[id.y * dims.k + ka];
        } else {
            as_[own] = 0.0;
        }
        if (id.x < dims.n && kb < dims.k) {
            bs_[own] = b[kb * dims.n + id.x];
        } else {
            bs_[own] = 0.0;
        }
        for (var i = 0u; i < TILE; i++) {
            sum += as_[local.y * TILE + i] * bs_[i * TILE + local.x];
        }
        workgroupBarrier();
    }
    if (id.x < dims.n && id.y < dims.m) {
        out[id.y * dims.n + id.x] = sum;
    }
}
