// goals: coalesced; writes each result once
// way: A workgroup shares tiles of x and d in workgroup memory. It fetches both by rows, and only
//   the tile of x is read down its columns.
// Tiles of both matrices in workgroup memory, 8 samples at a time.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> d: array<f32>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;

var<workgroup> tile_x: array<array<f32, 8>, 8>;
var<workgroup> tile_d: array<array<f32, 8>, 8>;

@compute @workgroup_size(8, 8)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let first_row = group.y * 8u;
    let first_col = group.x * 8u;
    var total = 0.0;
    for (var s = 0u; s < dims.m; s += 8u) {
        let sample = s + local.y;
        var from_x = 0.0;
        var from_d = 0.0;
        if (sample < dims.m && first_row + local.x < dims.k) {
            from_x = x[sample * dims.k + first_row + local.x];
        }
        if (sample < dims.m && first_col + local.x < dims.n) {
            from_d = d[sample * dims.n + first_col + local.x];
        }
        tile_x[local.y][local.x] = from_x;
        tile_d[local.y][local.x] = from_d;
        workgroupBarrier();
        for (var i = 0u; i < 8u; i++) {
            total += tile_x[i][local.y] * tile_d[i][local.x];
        }
        workgroupBarrier();
    }
    if (first_row + local.y < dims.k && first_col + local.x < dims.n) {
        dw[(first_row + local.y) * dims.n + first_col + local.x] = total;
    }
}
