// goals: coalesced; workgroups share what they fetch; no bank conflicts; few barriers
// way: Two pairs of tiles take turns. While one is used, the next is fetched into the other, so one
//   barrier a step is enough.
// Two pairs of tiles in turn, so that one barrier a step is enough.
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

var<workgroup> a_tiles: array<array<array<f32, TILE>, TILE>, 2>;
var<workgroup> b_tiles: array<array<array<f32, TILE>, TILE>, 2>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    var sum = 0.0;
    var now = 0u;
    for (var start = 0u; start < dims.k; start += TILE) {
        var from_a = 0.0;
        var from_b = 0.0;
        if (id.y < dims.m && start + local.x < dims.k) {
            from_a = a[id.y * dims.k + start + local.x];
        }
        if (id.x < dims.n && start + local.y < dims.k) {
            from_b = b[(start + local.y) * dims.n + id.x];
        }
        a_tiles[now][local.y][local.x] = from_a;
        b_tiles[now][local.y][local.x] = from_b;
        workgroupBarrier();
        for (var i = 0u; i < TILE; i++) {
            sum += a_tiles[now][local.y][i] * b_tiles[now][i][local.x];
        }
        now = 1u - now;
    }
    if (id.y < dims.m && id.x < dims.n) {
        out[id.y * dims.n + id.x] = sum;
    }
}
